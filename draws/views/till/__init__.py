"""The cashier's page: open the till, sell, hand out, pay, refund, count."""

from django.urls import URLPattern

from draws.views import setting_aside
from draws.views.desk import Desk
from draws.views.table import opening
from draws.views.till import context, departures, floor, papers, prizes, refunds, sale, shift

DESK = Desk(
    name="till",
    context=context.context,
    verbs={
        "open": shift.open_shift,
        "sell": sale.sell,
        "open-second": opening.open_second,
        "hand-out": floor.hand_out,
        "settle": floor.settle,
        "hand-over": floor.hand_over,
        "write-off": floor.write_off,
        "pay": prizes.pay,
        "print-payment": prizes.print_again,
        "refund": refunds.refund,
        "set-aside": setting_aside.prize,
        "set-refunds-aside": setting_aside.refunds,
        "transfer": departures.transfer,
        "move-cash": shift.move_cash,
        "close": shift.close_shift,
    },
)


def urls() -> list[URLPattern]:
    """Give the page, where its orders go, and the papers that belong to it."""
    return DESK.urls() + papers.FILES
