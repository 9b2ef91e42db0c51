"""A session that has everything an acta can say, of any number of games, the same at every call."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from draws.record.acta import labels
from draws.record.acta.session_values import (
    AdmissionValues,
    AnomalyValues,
    BallSetValues,
    CheckValues,
    ClockReadingValues,
    ClockValues,
    CustodyValues,
    DepartureValues,
    EndingValues,
    ItemValues,
    KeptValues,
    LastGameValues,
    LevelValues,
    MovementValues,
    RollCallValues,
    SentAwayValues,
    StaffValues,
    TaskValues,
    TermsValues,
    UsedValues,
    WaiverValues,
)
from draws.record.acta.values import (
    ActaValues,
    CashValues,
    ExtraValues,
    FigureValues,
    GameValues,
    LevelShareValues,
    NoteValues,
    ShareValues,
    TransferValues,
    VoidingValues,
)
from tests.support import acta_values
from tests.support.acta_values import OPENED

CLOSED = OPENED + timedelta(hours=9)
ENDS = OPENED + timedelta(hours=8, minutes=50)
CHIEF, MANAGER, CALLER = "Chefe de mesa da sala", "Chefe de sala", "Locutora da sala"
CROSS = ("..X..", "..X..", "XXXXX", "..X..", "..X..")
VOID_TWO = "Bola anunciada com número errado e linha já paga; devolução integral"


def acta(games: int = 60, *, languages: tuple[str, ...] = ("es",)) -> ActaValues:
    """Some games, four incidents among them, and every table of a session filled."""
    plain = acta_values.acta(games)
    return replace(
        plain,
        closed_at=CLOSED,
        admission=AdmissionValues(
            admitted=241, left=197, most=118,
            refused=(SentAwayValues("minor", 2), SentAwayValues("excluded", 1)),
        ),
        made_at=CLOSED + timedelta(minutes=1),
        journal_last=34_218,
        games=tuple(map(_game, plain.games)),
        notes=_notes(),
        tills=tuple(replace(till, **_counted(till.name)) for till in plain.tills),
        template=labels.CURRENT,
        languages=languages,
        terms=TermsValues("Despacho n.º 17/2026", 2_000, 6_000, 1_000, 500_000, 300),
        staff=_staff(games),
        checks=(_check(),),
        waivers=(
            WaiverValues(
                OPENED - timedelta(minutes=20), "Painel do bar", "Sem luz", "Há outros três",
                MANAGER, CHIEF,
            ),
        ),
        ball_sets=(
            BallSetValues(
                "B-0017", 90, "Bolas, Lda.", "Pneu 90", "3/2026", "Bombo 1", 1_912, games,
                1_912 + games, 2_000,
            ),
        ),
        roll_calls=_calls(),
        endings=(
            EndingValues(OPENED, OPENED + timedelta(hours=8, minutes=30), "", MANAGER),
            EndingValues(OPENED + timedelta(hours=6), ENDS, "Sala cheia", MANAGER),
        ),
        last_game=LastGameValues(ENDS - timedelta(minutes=10), games, CALLER, ENDS),
        jackpot=_jackpot(games),
        custody=_custody(games),
        clock=ClockValues(
            "server",
            (AnomalyValues(OPENED + timedelta(hours=3), OPENED + timedelta(hours=2)),),
            (
                ClockReadingValues(OPENED, True, 18_204, 0),
                ClockReadingValues(OPENED + timedelta(hours=3), True, 21_950, -3_600_000_000),
                ClockReadingValues(OPENED + timedelta(hours=4), False, 16_000_000, 0),
            ),
        ),
    )  # fmt: skip


def _game(game: GameValues) -> GameValues:
    told = replace(game, ball_set="B-0017", shares=_shares())
    if game.voided is not None and game.ended_at:
        said = VoidingValues(game.ended_at, CHIEF, "announcement_error", None, MANAGER)
        told = replace(told, voiding=said)
    if game.number == 5:
        told = replace(
            told, format="75", figure=FigureValues("Cruz", CROSS), counts=(),
            shares=(ShareValues("bingo", "Bingo", 5_500), ShareValues("prima", "Prima", 500, 40)),
            extras=(ExtraValues("Prima", 4_200, 4_200),),
        )  # fmt: skip
    if game.number == 6 and game.started_at:
        at = game.started_at + timedelta(minutes=2)
        left = TransferValues(at, "H 000431", 12, 14, "Mesa 7", "Mesa 9", "Caixa A")
        told = replace(told, transfers=(left,))
    levels = (("Prémio acumulado", 2_016, 0), ("Segundo prémio acumulado", 336, 0))
    return replace(
        told, levels=tuple(LevelShareValues(n, *one) for n, one in enumerate(levels))
    )  # fmt: skip


def _shares() -> tuple[ShareValues, ...]:
    return (ShareValues("line", "Linha", 2_000), ShareValues("bingo", "Bingo", 6_000))


def _notes() -> tuple[NoteValues, ...]:
    """The session's four incidents, the void game beside them."""

    def at(minutes: int) -> dict[str, Any]:
        return {"at": OPENED + timedelta(minutes=minutes), "by": CHIEF}

    said, decided = "Linha cantada a tempo e não ouvida", "Não atendida: revistas as imagens (R47)"
    complaint = NoteValues(
        "complaint", f"Cartão H 000431 · 212: {said} — {decided}", game=3, said=said,
        decision=decided, issue="H 000431", card=212, **at(41),
    )  # fmt: skip
    return (
        complaint,
        replace(complaint, text="Troco errado na caixa 2", said="Troco errado na caixa 2",
                decision="", issue="", card=None, game=7),
        NoteValues("ball_set", "Bola substituída: B-0017 · bola 7 · Rachada", game=None, **at(95)),
        NoteValues("breakdown", "Avaria: Bombo 1 · Turbina", game=9, **at(120)),
        NoteValues("occurrence", "Nota falsa de 2 000; chamada a Polícia", game=None, **at(200)),
    )  # fmt: skip


def _counted(till: str) -> dict[str, Any]:
    opened: dict[str, Any] = {"opened_at": OPENED, "closed_at": CLOSED - timedelta(minutes=4)}
    if till == "Caixa 1":
        moved = (
            CashValues(OPENED + timedelta(hours=2), -200_000, "Ao cofre", MANAGER, CHIEF),
            CashValues(OPENED + timedelta(hours=5), 150_000, "Trocos", MANAGER),
        )
        return opened | {"closed_by": "Caixa A", "movements": moved}
    return opened | {
        "closed_by": "Caixa B", "witness": CHIEF, "comment": "Troco a mais a um jogador",
        "unpaid": 1,
    }  # fmt: skip


def _staff(games: int) -> tuple[StaffValues, ...]:
    def one(name: str, *tasks: tuple[str, str, int]) -> StaffValues:
        return StaffValues(
            name, name.lower().replace(" ", "."), OPENED - timedelta(minutes=40), CLOSED,
            tuple(TaskValues(*task) for task in tasks),
        )  # fmt: skip

    return (
        one(MANAGER, ("equipment_checked", "Equipamento verificado", 1),
            ("session_opened", "Sessão aberta", 1), ("session_closed", "Sessão encerrada", 1)),
        one(CALLER, ("sale_announced", "Venda anunciada", games),
            ("ball_announced", "Bola", 55 * games), ("claim_called", "Alguém cantou", 2 * games)),
        one(CHIEF, ("claim_checked", "Cartão conferido", 3 * games),
            ("entry_completed", "Entrada na acta completa", games), ("witness", "Segunda pessoa", 4)),
        one("Caixa A", ("cards_sold", "Cartões vendidos", 40 * games),
            ("prize_paid", "Prémio pago", 3 * games)),
        one("Vendedora da sala", ("seller", "Vendas na sala", 12 * games)),
    )  # fmt: skip


def _check() -> CheckValues:
    works = ("Bombo 1", "Câmara da saída", "Ecrãs", "Som", "Jogo de bolas B-0017")
    items = [ItemValues(name, ok=True) for name in works]
    items += [ItemValues("Painel do bar", ok=False, note="Sem luz"), ItemValues("RNG", ok=None)]
    return CheckValues(OPENED - timedelta(minutes=30), MANAGER, False, tuple(items))


def _calls() -> tuple[RollCallValues, ...]:
    begun = RollCallValues(
        OPENED - timedelta(minutes=10), "opening", "No início da sessão", "B-0017",
        "lida pela câmara", 90, (), (), CALLER,
    )  # fmt: skip
    ended = replace(
        begun, at=CLOSED - timedelta(minutes=9), when="closing", moment="No fim da sessão",
        seen=89, missing=(7,), foreign=(91,),
    )  # fmt: skip
    return (begun, ended)


def _jackpot(games: int) -> tuple[LevelValues, ...]:
    def moved(
        kind: str, what: str, amount: int, game: int | None, said: str = ""
    ) -> MovementValues:
        at = OPENED + timedelta(minutes=9 * (game or 0))
        return MovementValues(at, game, kind, what, amount, 5_000_000 + amount, said)

    accrued = 2_016 * games
    movements = (
        moved("jackpot_funded", "Base posta pelo operador", 100_000, None, "Despacho 9/2026"),
        *(moved("accrued", "Acrescentado por uma jogada", 2_016, n + 1) for n in range(games)),
        moved("reversed", "Retirado: jogada anulada", -2_016, 2),
        moved("awarded", "Ganho", -1_200_000, 31),
        moved("restored", "Base reposta pelo operador", 500_000, 31),
    )
    first = LevelValues(
        0, "Prémio acumulado", 46, 4_900_000, 100_000, accrued, 2_016, 1_200_000, 500_000, 0,
        4_900_000 + 100_000 + accrued - 2_016 - 1_200_000 + 500_000, movements,
    )  # fmt: skip
    second = LevelValues(
        1, "Segundo prémio acumulado", 52, 80_000, 0, 336 * games, 0, 0, 0, 0,
        80_000 + 336 * games, (),
    )  # fmt: skip
    return (first, second)


def _custody(games: int) -> CustodyValues:
    free = date(2026, 11, 30)
    kept = [
        KeptValues(game, "H 000431", card, 16_296, free, 4 if game == 3 else None)
        for game in range(1, games + 1)
        for card in (17, 64, 203)
        if game != 2
    ]
    kept.append(KeptValues(3, "H 000431", 212, None, free, 4))
    at = OPENED + timedelta(hours=1)
    used = tuple(
        UsedValues(game, 417, int(game % 9 == 0), at, CHIEF) for game in range(1, games + 1)
    )
    done = (
        DepartureValues(at, "case_opened", "Processo aberto: caso 4 · sessão 412, jogada 3", MANAGER),
        DepartureValues(
            at, "winning_cards_destroyed", "Cartões premiados destruídos: 2 cartões: 403/1/5, 403/2/9",
            MANAGER, CHIEF,
        ),
    )  # fmt: skip
    return CustodyValues(8, tuple(kept), used, done)
