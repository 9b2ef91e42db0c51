"""The URLs of the whole site."""

from django.urls import include, path

from draws import urls as draws_urls
from draws.balls.views import rng_state_and_ball_pictures
from draws.boards import views as boards_views
from draws.complaints import views as complaints_views
from draws.desks import floor_staff, hall_manager
from draws.desks.caller import page
from draws.desks.inspector import checkpoints
from draws.desks.inspector import views as inspector_views
from draws.desks.table import page as table_page
from draws.desks.till import page as till_page
from draws.desks.till import sale
from draws.jackpots import views as jackpots_views
from draws.office import (
    admission_register_and_exclusions,
    first_steps,
    how_devices_reach_the_hall,
    policy,
    sign_ins_till_browsers_and_security_log,
    staff_tills_and_inspectors,
)
from draws.prizes import views as prizes_views
from draws.retention import views as retention_views
from draws.training import views as training_views
from draws.web import (
    components,
    home_and_own_account,
    law_texts,
    page_lock_and_pin_login,
    provider,
    second_factor,
)
from halls.web import menu_and_theme
from halls.web.login import Login, Logout

urlpatterns = [
    path("", home_and_own_account.home, name="home"),
    path("first/", first_steps.first_page, name="first"),
    *how_devices_reach_the_hall.DEVICES,
    path("why/", law_texts.why, name="why"),
    path("password/", home_and_own_account.own_password_page, name="own-password"),
    path("account/", home_and_own_account.account_page, name="account"),
    *page_lock_and_pin_login.urls(),
    *second_factor.urls(),
    *provider.urls(),
    path("login/", Login.as_view(), name="login"),
    path("logout/", Logout.as_view(), name="logout"),
    path("language/", include("django.conf.urls.i18n")),
    path("theme/", menu_and_theme.choose, name="theme"),
    path("board/<slug:code>/", boards_views.page, name="board"),
    path("board/<slug:code>/worker.js", boards_views.worker, name="board-worker"),
    path("board/<slug:code>/own/<slug:digest>.jpg", boards_views.own_picture, name="board-own"),
    path("board/<slug:code>/state.json", boards_views.state, name="board-state"),
    path("board/<slug:code>/screen.json", boards_views.screen, name="board-screen"),
    path("board/<slug:code>/checkpoint.json", boards_views.checkpoint, name="board-checkpoint"),
    path(
        "board/<slug:code>/checkpoint-<int:number>.svg",
        boards_views.checkpoint_code,
        name="board-checkpoint-code",
    ),
    *till_page.till_urls(),
    *sale.selling_urls,
    *page.urls(),
    *table_page.DESK.urls(),
    *hall_manager.DESK.urls(),
    *floor_staff.SELLER_DESK.urls(),
    *floor_staff.ASSISTANT_DESK.urls(),
    *floor_staff.DOOR_DESK.urls(),
    *admission_register_and_exclusions.EXCLUSION_PAGE.urls(),
    *admission_register_and_exclusions.ADMISSION_PAGE.urls(),
    *inspector_views.inspector_urls(),
    *checkpoints.urls(),
    *complaints_views.urls(),
    *draws_urls.cards_urls(),
    *rng_state_and_ball_pictures.picture_urls,
    *draws_urls.equipment_urls(),
    *components.components_urls(),
    *draws_urls.custody_urls(),
    *draws_urls.cameras_urls(),
    *policy.PAGE.urls(),
    *staff_tills_and_inspectors.STAFF_PAGE.urls(),
    *sign_ins_till_browsers_and_security_log.SECURITY_LOG_PAGE.urls(),
    *staff_tills_and_inspectors.INSPECTORS_PAGE.urls(),
    *staff_tills_and_inspectors.TILLS_PAGE.urls(),
    *sign_ins_till_browsers_and_security_log.urls(),
    *first_steps.PAGE.urls(),
    *first_steps.FOLDER_PAGE.urls(),
    path("screens/new/", boards_views.new_screens, name="screens-new"),
    *boards_views.PAGE.urls(),
    *retention_views.urls(),
    *jackpots_views.urls(),
    *prizes_views.PAGE.urls(),
    *training_views.urls(),
    path("rng/changed/", rng_state_and_ball_pictures.changed, name="rng-changed"),
]

handler404 = "halls.web.error_pages.not_found"
handler403 = "halls.web.error_pages.forbidden"
handler500 = "halls.web.error_pages.failed"
