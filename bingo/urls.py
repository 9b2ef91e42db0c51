"""Every address of the hall."""

from django.contrib.auth.views import LogoutView
from django.urls import include, path

from draws.views import (
    board,
    caller,
    cameras,
    cards,
    checkpoints,
    complaints,
    components,
    custody,
    equipment,
    first,
    first_steps,
    home,
    inspector,
    jackpot,
    manager,
    own_password,
    pictures,
    policy,
    retention,
    rng,
    screens,
    seller,
    selling,
    staff,
    table,
    till,
    tills,
    training,
    unclaimed,
)
from halls.views import theme
from halls.views.login import Login

urlpatterns = [
    path("", home.home, name="home"),
    path("first/", first.page, name="first"),
    path("password/", own_password.page, name="own-password"),
    path("login/", Login.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("language/", include("django.conf.urls.i18n")),
    path("theme/", theme.choose, name="theme"),
    path("board/<slug:code>/", board.page, name="board"),
    path("board/<slug:code>/worker.js", board.worker, name="board-worker"),
    path("board/<slug:code>/own/<slug:digest>.jpg", board.own_picture, name="board-own"),
    path("board/<slug:code>/state.json", board.state, name="board-state"),
    path("board/<slug:code>/screen.json", board.screen, name="board-screen"),
    path("board/<slug:code>/checkpoint.json", board.checkpoint, name="board-checkpoint"),
    path(
        "board/<slug:code>/checkpoint-<int:number>.svg",
        board.checkpoint_code,
        name="board-checkpoint-code",
    ),
    *till.urls(),
    *selling.urls,
    *caller.urls(),
    *table.DESK.urls(),
    *manager.DESK.urls(),
    *seller.DESK.urls(),
    *inspector.urls(),
    *checkpoints.urls(),
    *complaints.urls(),
    *cards.urls(),
    *pictures.urls,
    *equipment.urls(),
    *components.urls(),
    *custody.urls(),
    *cameras.urls(),
    *policy.PAGE.urls(),
    *staff.PAGE.urls(),
    *tills.PAGE.urls(),
    *first_steps.PAGE.urls(),
    *screens.PAGE.urls(),
    *retention.urls(),
    *jackpot.urls(),
    *unclaimed.PAGE.urls(),
    *training.urls(),
    path("rng/changed/", rng.changed, name="rng-changed"),
]

handler404 = "halls.views.errors.not_found"
handler403 = "halls.views.errors.forbidden"
handler500 = "halls.views.errors.failed"
