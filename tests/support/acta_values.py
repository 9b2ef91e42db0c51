"""A session as its acta has it, of any number of games, the same at every call."""

import random
from dataclasses import replace
from datetime import datetime, timedelta, timezone

from draws.record.acta.values import (
    ActaValues,
    BallValues,
    GameValues,
    IssueValues,
    NoteValues,
    RefundValues,
    RejectedValues,
    SellerValues,
    TillValues,
    WinnerValues,
    WitnessedValues,
    WrittenOffValues,
)

ZONE = timezone(timedelta(hours=-1))
OPENED = datetime(2026, 11, 20, 20, 0, tzinfo=ZONE)
VOID = "Erro no anúncio de um número, com devolução integral aos jogadores"
COMPLAINT = "Um jogador reclama do momento do anúncio; revistas as imagens, não atendida"
HEAD = "9f3a12cd" * 8


def game(number: int, *, voided: str | None = None, by_hand: int = 0) -> GameValues:
    """420 cards at 2.00 with the prizes of R7 and R10; `by_hand` balls are the last ones."""
    rng = random.Random(number)
    begun = OPENED + timedelta(minutes=8 * number)
    drawn = rng.sample(range(1, 91), 9 if voided else 55)
    balls = tuple(
        BallValues(
            order,
            ball,
            "hand" if order > len(drawn) - by_hand else "camera",
            begun + timedelta(seconds=150 + 4 * order),
        )
        for order, ball in enumerate(drawn, start=1)
    )
    ended = balls[-1].at + timedelta(seconds=120)
    paid = 0 if voided else 1
    winners = (
        WinnerValues("line", "H 000431", 17, 16_296, 0, ended),
        WinnerValues("bingo", "H 000431", 64, 24_444, 2_444, ended),
        WinnerValues("bingo", "H 000431", 203, 24_444, 2_444, None),
    )
    return GameValues(
        number=number,
        format="90",
        issues=(IssueValues("H", "000431", 1, 420, 420),),
        face_value=200,
        cards_sold=420,
        gross=84_000,
        fund=67_200,
        line=16_296,
        bingo=48_888,
        jackpot_accrual=2_016 * paid,
        jackpot_awarded=0,
        tax_withheld=4_888 * paid,
        paid_line=16_296 * paid,
        paid_bingo=48_888 * paid,
        refunded=84_000 * (1 - paid),
        balls=balls,
        winners=winners * paid,
        rejected=(RejectedValues("bingo", 212, "Falta o número 17", balls[-2].at),),
        started_at=begun,
        ended_at=ended,
        voided=voided,
        caller="Locutora da sala",
        table_chief="Chefe de mesa da sala",
        check="K7QF",
    )


def two_prices(number: int) -> GameValues:
    """A game of 420 cards at 2.00 and 60 at 5.00, five numbers written off, sold on the floor too."""
    torn = (
        WrittenOffValues(100, 103, "Rasgados ao abrir o maço", "Chefe de mesa"),
        WrittenOffValues(250, 250, "Número ilegível"),
    )
    return replace(
        game(number),
        issues=(
            IssueValues("H", "000431", 1, 425, 420, face=200, missing=torn),
            IssueValues("B", "000077", 61, 120, 60, face=500),
        ),
        cards_sold=480,
        gross=114_000,
        sellers=(
            SellerValues("Caixa 1", "", 400, 92_000),
            SellerValues("Caixa 1", "Vendedora da sala", 80, 22_000),
        ),
    )


def double(number: int) -> tuple[GameValues, GameValues]:
    """Both games of double cards; what was won in the first is paid after the second (R45)."""
    first = game(number)
    second = replace(game(number + 1), half=2, other_half=number)
    assert second.ended_at
    winners = tuple(
        replace(won, paid_at=second.ended_at, paid_in=number + 1) for won in first.winners
    )
    return replace(first, half=1, other_half=number + 1, winners=winners), second


def first_void(number: int) -> GameValues:
    """A void first game of double cards, given back with both halves at two tills."""
    return replace(
        game(number, voided=VOID),
        half=1,
        gross=168_000,
        refunded=168_000,
        refunds=(RefundValues("Caixa 1", 400, 160_000), RefundValues("Caixa 2", 20, 8_000)),
    )


def desk() -> ActaValues:
    """A session of several prices, double cards and second persons."""
    games = (two_prices(1), *double(2), first_void(4))
    done = WitnessedValues(
        OPENED + timedelta(minutes=9), 1, "Cartões abatidos · H 000431 · 100–103",
        "Caixa A", "Chefe de mesa",
    )  # fmt: skip
    return replace(acta(0), games=games, witnessed=(done,))


def acta(games: int = 4, *, article: str = "R61", language: str = "pt") -> ActaValues:
    """A session in which the second game is void and the third was finished by hand."""
    told = (
        NoteValues("complaint", COMPLAINT, OPENED + timedelta(hours=1), "Chefe de mesa", 3),
        NoteValues("breakdown", "Câmara sem imagem", OPENED + timedelta(hours=2), "Técnico", None),
    )
    return ActaValues(
        hall="Sala de Bingo",
        licence="Autorização n.º 1/2026",
        rulebook="Portaria n.º 1/2017",
        article=article,
        language=language,
        currency="CVE",
        session=412,
        opened_at=OPENED,
        closed_at=OPENED + timedelta(hours=7, seconds=44),
        opened_by="Chefe de sala",
        closed_by="Chefe de sala",
        games=tuple(
            game(n, voided=VOID if n == 2 else None, by_hand=6 if n == 3 else 0)
            for n in range(1, games + 1)
        ),
        notes=told,
        tills=(
            TillValues("Caixa 1", "Caixa A", 50_000, 252_000, 180_000, 0, 0, 122_000, 122_000, 0),
            TillValues(
                "Caixa 2", "Caixa B", 50_000, 84_000, 15_552, 84_000, 0, 34_448, 34_248, -200
            ),
        ),
        journal_first=1,
        journal_last=843,
        journal_head=HEAD,
        made_at=OPENED + timedelta(hours=7, minutes=2),
    )
