from pathlib import Path

import pytest

from bingo.rules.refusal import Refusal
from draws.balls.vision import sources


@pytest.mark.parametrize(
    "words",
    [
        "file:///etc/passwd", "file:/etc/passwd", "/etc/passwd", "etc/passwd", "concat:/a|/b",
        "http://192.168.1.3/cam", "https://192.168.1.3/cam", "ftp://192.168.1.3", "rtmp://192.168.1.3",
        "udp://239.0.0.1:1234", "data:video/mp4;base64,AA", "subfile,,start,0,end,9,,:/etc/passwd",
        "pipe:0", "-", "", "/dev/sda", "/dev/video0/../sda", "rtsp://", "rtsp:///etc/passwd",
        "rtsp://192.168.1.3:99999/", "rtsp://192.168.1.3/a\r\nX: y", "rtsp://192.168.1.3/a b",
    ],
)  # fmt: skip
def test_what_is_no_camera_is_refused(words: str) -> None:
    with pytest.raises(Refusal) as refused:
        sources.camera(words)
    assert refused.value.code == "not_a_camera"


@pytest.mark.parametrize(
    "host",
    [
        "169.254.169.254", "[fd00:ec2::254]", "[fe80::1]", "0.0.0.0", "224.0.0.1", "127.0.0.1",
        "localhost", "[::1]", "[::ffff:169.254.169.254]", "[::ffff:127.0.0.1]", "2130706433",
        "0x7f.1", "255.255.255.255",
    ],
)  # fmt: skip
def test_hosts_that_no_camera_has_are_refused(host: str) -> None:
    with pytest.raises(Refusal) as refused:
        sources.camera(f"rtsp://{host}:554/stream")
    assert refused.value.code == "address_not_allowed"


def test_loopback_is_allowed_only_where_the_settings_say_so() -> None:
    allowed = sources.camera("rtsp://127.0.0.1:8554/x", loopback=True)
    assert (allowed.means, allowed.words) == ("network", "rtsp://127.0.0.1:8554/x")
    with pytest.raises(Refusal):
        sources.camera("rtsp://169.254.169.254/x", loopback=True)


@pytest.mark.parametrize("words", ["0", "/dev/video0", " /dev/video0 "])
def test_devices_are_cameras(words: str) -> None:
    assert sources.camera(words) == sources.Address("device", "/dev/video0", "/dev/video0")


def test_camera_in_the_halls_network_keeps_its_login_and_shows_none() -> None:
    found = sources.camera("rtsp://eye:se%40cret@192.168.1.30:554/exit?channel=1")
    assert found.words == "rtsp://eye:se%40cret@192.168.1.30:554/exit?channel=1"
    assert found.shown == "rtsp://192.168.1.30:554/exit"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("http://eye:secret@192.168.1.30/exit", "http://192.168.1.30/exit"),
        ("rtsp://user:secret/9@10.0.0.5/ch1", "rtsp://10.0.0.5/ch1"),
        ("rtsp://user:secret?9#@10.0.0.5:99999/ch1", "rtsp://10.0.0.5:99999/ch1"),
        ("rtsp://user:sec@ret@10.0.0.5:99999/ch1", "rtsp://10.0.0.5:99999/ch1"),
        ("rtsp://10.0.0.5:99999/ch1?user=eye&password=secret", "rtsp://10.0.0.5:99999/ch1"),
        ("eye:secret@192.168.1.30/exit", "192.168.1.30/exit"),
        ("rtsp:/eye:secret@192.168.1.30/exit", "rtsp:/192.168.1.30/exit"),
        ("rtsp://eye:secret@", "rtsp://"),
        ("http://192.168.1.30/exit", "http://192.168.1.30/exit"),
    ],
)
def test_refusal_tells_no_password(words: str, told: str) -> None:
    with pytest.raises(Refusal) as refused:
        sources.camera(words)
    assert refused.value == Refusal("not_a_camera", address=told)


def test_host_that_is_not_known_tells_no_password() -> None:
    with pytest.raises(Refusal) as refused:
        sources.camera("rtsp://user:1234/secret@10.0.0.5/ch1")
    assert refused.value.values == {"address": "rtsp://10.0.0.5/ch1"}


def test_sources_are_told_apart(tmp_path: Path) -> None:
    video = tmp_path / "a.mp4"
    video.write_bytes(b"\0\0\0\x18ftypmp42")
    assert sources.address_source(str(video)).means == "video"
    assert sources.address_source(str(tmp_path)).means == "folder"
    assert sources.address_source("rtsp://10.0.0.9/x").means == "network"


@pytest.mark.parametrize(
    "text",
    ["ffconcat version 1.0\nfile /etc/passwd\n", "#EXTM3U\n#EXTINF:1,\n/etc/passwd\n", "v=0\n"],
)
def test_playlists_are_no_videos(tmp_path: Path, text: str) -> None:
    playlist = tmp_path / "a.mp4"
    playlist.write_text(text)
    with pytest.raises(Refusal) as refused:
        sources.address_source(str(playlist))
    assert refused.value == Refusal("not_a_video", file=str(playlist))


@pytest.mark.parametrize("words", ["/dev/video0", "3", "rtsp://u:p@cam.nowhere.example:5/x?c=1"])
def test_form_of_an_address_needs_nobody_to_answer(words: str) -> None:
    sources.require_form(words)


@pytest.mark.parametrize(
    "words",
    [
        "/etc/passwd", "draw.avi", "http://192.168.1.3/cam", "rtsp://", "rtsp://h:99999/",
        # A password with a slash would be taken for a path, and written down.
        "rtsp://user:1234/secret@10.0.0.5/ch1", "rtsp://user:1234?secret@10.0.0.5/ch1",
    ],
)  # fmt: skip
def test_words_of_another_form_are_no_camera(words: str) -> None:
    with pytest.raises(Refusal) as refused:
        sources.require_form(words)
    assert refused.value.code == "not_a_camera"
    assert "secret" not in str(refused.value)
