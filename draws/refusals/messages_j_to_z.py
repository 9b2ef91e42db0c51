"""What each refusal says, by its code, from J to Z: why, and what to do now."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

# Values of the refusal are named in braces.

J_TO_Z: Mapping[str, Promise] = {
    "jackpot_ceiling_below_base": _(
        "The jackpot's ceiling must be above its base: raise the one or lower the other."
    ),
    "jackpot_ends_before_it_begins": _(
        "The jackpot's last day, {ends}, is before the authorisation begins, {begins}."
    ),
    "jackpot_in_play": _(
        "A session is open, and plays for the jackpot on terms that hold until it closes (R9): close it first."
    ),
    "jackpot_limit_missing": _(
        "Write within how many balls the jackpot is won, for each kind of card that is played for it (R9)."
    ),
    "jackpot_limit_out_of_range": _(
        "With cards of {format} a jackpot is won within {least} to {most} balls, and not {balls}: with fewer nobody could win it, with all of them every game would (R9). Write it again."
    ),
    "jackpot_limit_repeated": _(
        "Two numbers of balls are written for the same bingo with cards of {format}: leave one of them."
    ),
    "jackpot_limits_missing": _(
        "The authorisation names {balls} balls for the jackpot, whatever is played (R9): record it again with a number for each kind of card."
    ),
    "jackpot_rises_never": _(
        "A number of balls is written that the limit rises to, and not when: fill in every how many sessions, or leave it empty."
    ),
    "jackpot_over_its_source": _(
        "The jackpot takes more than that prize has: take it from all prizes."
    ),
    "jackpot_rate_differs": _(
        "The jackpot takes {expected} % of the prizes, or nothing (R10): not {rate} %."
    ),
    "jackpot_rate_out_of_range": _(
        "The jackpot takes from 0 to 100 % of the prizes: look at its rate again."
    ),
    "jackpot_time_over": _(
        "The jackpot's time limit, {until}, has passed (R12): record the regulator's new authorisation, with a later one or without a jackpot. What is held stays in trust."
    ),
    "kept_already": _(
        "Card {card} is on the shelf already and needs not be set aside: leave it out."
    ),
    "kept_too_short": _("Card {card} may be destroyed from {day} on, not before (R52): keep it."),
    "key_reused": _("This form was sent before: reload the page and start again."),
    "language_is_the_rule_books": _(
        "“{language}” is the rule book's own language, always spoken (R54): leave it out."
    ),
    "language_not_known": _(
        "The system does not speak “{language}”: choose a language of the list."
    ),
    "language_repeated": _("The language “{language}” is named twice: name it once."),
    "last_game_announced": _(
        "Game {game} has been announced as the last: the end of the session is settled."
    ),
    "last_game_played": _(
        "Game {game} was the last of this session (R53): count the tills and close the session."
    ),
    "last_game_due": _(
        "The session is in its last ten minutes (R53): announce the last game first, then its sale; or let the hall manager move the end."
    ),
    "last_game_too_early": _(
        "The last game is announced in the last ten minutes (R53): wait, or let the hall manager move the end."
    ),
    "last_manager": _("Somebody must manage the hall: give that role to another person first."),
    "last_till": _("It is the only till in use: add another one first."),
    "letter_repeated": _("Letter {letter} is written twice: write each letter once."),
    "level_is_its_own": _(
        "The jackpot would move to where it is: choose another level or another hall."
    ),
    "level_holds_money": _(
        "This level of the hall's own jackpot still holds {amount}: move it to another level or hall, or end it, before a linked jackpot takes its place."
    ),
    "link_differs": _(
        "The linked jackpot's ledger is not what its halls have told: stop, run the audit, and call whoever looks after the program."
    ),
    "link_in_play": _(
        "{hall} has a session open that plays for this jackpot, on terms that hold until it closes (R9): end it when no hall plays."
    ),
    "link_joined": _("The hall takes part in this linked jackpot already: open the page again."),
    "link_limits_differ": _(
        "This linked jackpot has a base of {base} and is won so, in every hall: {limits}. Write the same."
    ),
    "link_over": _(
        "The linked jackpot {name} has ended: record an authorisation without it, or begin another."
    ),
    "link_terms_differ": _(
        "This linked jackpot is won within {limit} balls and has a base of {base}, in every hall: write the same."
    ),
    "link_unread": _("What the linked jackpot holds was not read: close the window again."),
    "line_missing": _("Say what counts as a line: rows, columns or diagonals."),
    "line_not_in_format": _("The card of {format} has rows only as lines: leave the others out."),
    "line_repeated": _("The same kind of line is named twice: name it once."),
    "line_share_missing": _(
        "Lines count, but no part of the sales goes to them: write the line's share."
    ),
    "lost_already": _("That card {card} is lost was recorded already: open the page again."),
    "matrix_already_here": _(
        "The hall already has these cards: series {letter}, matrix {version}."
    ),
    "matrix_changed": _(
        "The stored cards are not those of the published series: stop, and call the operator."
    ),
    "name_missing": _("Give it the name that the hall calls it by."),
    "negative_share": _("The shares of line and bingo cannot be below zero: look at them again."),
    "no_authorisation": _("The hall has no authorisation in force: ask the operator."),
    "no_ball_found": _("No ball was seen to come and go: say where one rests, or look longer."),
    "no_ball_seen": _(
        "No ball came before the camera: go on waiting, or go on by hand before a second person."
    ),
    "no_ball_set_in_use": _(
        "No set of {format} balls is in use, and this hall counts the games of its sets (R25): put one in use under Equipment."
    ),
    "no_ball_shown": _("No ball was shown yet."),
    "no_balls_left": _("Every ball is out: check the cards."),
    "no_cards": _("Write how many cards are sold: one at least."),
    "no_game": _("No game is open: wait until the next one is prepared."),
    "no_money_back": _(
        "No money is given back for cards (R41, R56): a player who leaves may hand them on to another."
    ),
    "no_payment": _("This till has paid no such prize in this shift: look at the list again."),
    "no_prize": _("Card {card} has won nothing in this game."),
    "no_proof": _(
        "The RNG does not show now what this game was bound to: complete the entry again in some seconds. If the RNG does not come back, complete it without the proof."
    ),
    "no_room_for_second": _(
        "A second issue would sell equal cards in this game (R38): close the sale."
    ),
    "no_receipt_printer": _(
        "{till} has no receipt printer: open the receipt as a page, or have one set under Rules of the hall."
    ),
    "no_second_half": _("No double cards wait for their second game: open the next game."),
    "no_second_person_asked": _("This ball was read by the camera: the caller confirms it."),
    "no_session": _("No session is open: ask the hall manager to open it."),
    "no_session_end": _(
        "No end of this session is planned: let the hall manager write the hour first."
    ),
    "no_such_hour": _("The clocks skip that hour tonight: type another one."),
    "not_approved": _(
        "{name} has no approval in force (R4, R20): record its approval under Equipment, or let the hall manager and a second person leave it out."
    ),
    "no_shift": _("Your till is closed: open it with its float first."),
    "no_still": _("There is no picture of the camera yet: take one first."),
    "no_such_card": _("The series has no card {card}: read the number again."),
    "no_valid_claim": _("No card was found right: check one, or resume the draw."),
    "not_a_camera": _(
        "No camera answers at {address}: it must be rtsp://… or a device, switched on and connected."
    ),
    "not_a_checkpoint": _(
        "This is no checkpoint of a journal: paste it whole, with the line of its signature."
    ),
    "not_a_photograph": _(
        "This is no photograph of a card: send a JPEG as telephones and cameras make it."
    ),
    "not_a_wall_picture": _(
        "This is no picture that a wall can show: send a JPEG or a PNG of at least 120 pixels a side."
    ),
    "not_a_picture": _("{file} is no picture that can be opened."),
    "not_a_payment": _("Entry {number} is no payment of a prize: it has no receipt."),
    "not_a_sale": _("Entry {number} of the journal is no sale: choose a sale."),
    "not_a_video": _("{file} is no video and no folder of pictures."),
    "not_allowed": _("Your role does not allow this. Ask: {roles}."),
    "not_an_extractor": _("{equipment} is no extractor of balls: choose one that is."),
    "not_confirmed": _("Look at everything again, then tick that you have checked it."),
    "not_handed_out": _(
        "{seller} does not have cards {first} to {last} in hand: look at the numbers again."
    ),
    "not_in_the_block": _(
        "What comes back must be of cards {first} to {last}, in order: look at the numbers again."
    ),
    "not_in_training": _("This is done in training only: press Practise first."),
    "not_on_sale": _(
        "Those cards are not on sale in this game: look at the issue and the numbers again."
    ),
    "not_on_shelf": _("Card {card} is not on the hall's shelf: open the page again."),
    "not_printable": _("This cannot be printed: look at {what}."),
    "not_sold": _("Card {card} was not sold in this game."),
    "not_suspended": _("The game is not suspended: go on."),
    "not_taught": _("The reader of balls is not installed: call whoever looks after the program."),
    "not_the_players": _(
        "Card {card} is not written down as that of {player}: look at its number and the name again."
    ),
    "not_withdrawn": _("Issue {letter} {identification} is not withdrawn: reload the page."),
    "not_your_shift": _("This till belongs to another cashier: use your own."),
    "nothing_changed": _("This is so already: nothing was changed."),
    "nothing_expired": _("The period of nothing that goes there is over: open the page again."),
    "nothing_held": _("This level holds nothing: there is nothing to move or hand over."),
    "nothing_lost": _("Tick the cards that are lost."),
    "nothing_owed": _("Nothing is owed for card {card}: look at the number and at its issue."),
    "nothing_sold": _("No card has been sold: sell some, or void the game."),
    "nothing_to_destroy": _("There is no card to destroy: choose at least one."),
    "nothing_to_distribute": _("No prize would get anything: write the shares of the sales."),
    "nothing_to_hand_over": _("Choose the cards that are handed over."),
    "nothing_to_remove": _("Nothing is kept beyond its days: there is nothing to remove."),
    "one_extra_only": _(
        "The card of {format} has one prize besides the bingo at most (R84): choose one."
    ),
    "one_link_only": _(
        "A hall plays for one linked jackpot at most: choose it for one level only."
    ),
    "only_last_ball": _("Only the last ball can be recalled."),
    "only_left": _("Only {left} cards are left: sell {left}."),
    "other_format": _(
        "That issue has cards of {format} numbers, this game others: choose an issue of the same kind."
    ),
    "other_rulebook": _(
        "These cards follow the rule book {rulebook}, the hall {expected}: they cannot be played there."
    ),
    "other_series": _("The second issue must be of the same series (R38): choose another."),
    "out_of_order": _("Cards are sold in order: the next is {next}. Hand out that card."),
    "over_player_limit": _(
        "A player may buy {limit} cards in a game (R35) and has {had}: sell {left} more at most."
    ),
    "buyer_over_limit": _(
        "{player} may buy {limit} cards in a game (R35) and has {had}: {left} more at most. Take the cards beyond that back, and settle the others."
    ),
    "over_receivers_limit": _(
        "{player} may have {limit} cards in a game (R35) and has {had}: hand on {left} at most."
    ),
    "own_account": _("Nobody changes their own account: ask another hall manager."),
    "paid_after_second_game": _(
        "Card {card} is paid after its second game (R45): the player keeps it until then."
    ),
    "other_money_or_rules": _(
        "That hall plays in another money or by another rule book: choose a hall like this one."
    ),
    "paper_missing": _(
        "Write the paper that this rests on: the regulator's decision, or the receipt of the money."
    ),
    "own_password_wrong": _(
        "This is not the password you have now: type it again, then the new one twice."
    ),
    "password_unchanged": _("Choose another password than the one that was given to you."),
    "password_weak": _(
        "This password is too easy: take at least 8 characters that are no usual word and no name."
    ),
    "passwords_differ": _("The two passwords are not the same: type both again."),
    "pattern_drawing_used": _("The hall already has this figure: it is “{name}”."),
    "pattern_empty": _("The figure has no number: mark at least four squares besides the centre."),
    "pattern_name_missing": _("Write a name for the figure."),
    "pattern_name_too_long": _(
        "A figure's name has at most {most} plain signs: write a shorter one."
    ),
    "pattern_name_used": _("The hall already has a figure “{name}”: choose another name."),
    "pattern_not_in_format": _(
        "Figures are won on the card of 75 only, not on that of {format}: choose the whole card."
    ),
    "pattern_too_small": _("The figure has {count} numbers: mark at least {least}."),
    "pattern_whole_card": _("The whole card is the bingo (R73 a): leave a square out."),
    "pattern_wrong_shape": _("A figure is {rows} rows of {columns} squares: draw it again."),
    "person_unknown": _("This person is not in the hall's books: open the page again."),
    "photograph_missing": _("Take a picture of the card first, or choose its file."),
    "photograph_too_large": _(
        "The photograph is too large: take it with fewer points, or send a file under {most} MB."
    ),
    "played_on": _("The cards of game {game} are played on in game {next}: name that one."),
    "price_differs": _("The second issue must have the same price (R38): choose another."),
    "price_missing": _("Several prices are on sale: choose one of them."),
    "price_not_on_sale": _(
        "No cards at {face} are on sale in this game: choose a price of the list."
    ),
    "price_on_sale_already": _(
        "Cards at {face} are on sale already: choose an issue of another price."
    ),
    "prima_limit_out_of_range": _(
        "The bonus is won within 1 to {most} balls, other prizes have no such limit: write it again."
    ),
    "print_code_unknown": _("Choose a code from the list: barcode, QR or none."),
    "print_file_changed": _(
        "The file of this print was changed: do not use it, and call the operator."
    ),
    "print_file_gone": _(
        "The file of this print is no longer there: order the print again, with the reason."
    ),
    "print_was_cancelled": _("This print was cancelled and has no file: order it again."),
    "print_has_failed": _(
        "This print failed and has no file: look at its fault, then order it again."
    ),
    "print_not_done": _("This print has no file yet: wait until it is done."),
    "print_not_running": _("This print has already ended: it cannot be cancelled."),
    "print_nothing_left": _(
        "Every card from {first} to {last} is retired: there is nothing to print."
    ),
    "print_paper_unknown": _("Choose a paper from the list: A4, Letter or the 80 mm roll."),
    "print_range_bad": _(
        "The issue has cards 1 to {size}: look at the first and the last card again."
    ),
    "print_reason_missing": _(
        "Cards from {first} to {last} were printed before: write why they are printed again."
    ),
    "print_roll_plain": _("The roll has neither back pages nor crop marks: leave both out."),
    "print_too_long": _("One print holds at most {limit} cards: print the {cards} cards in parts."),
    "print_unknown": _("The hall has no such print: reload the page."),
    "printer_unreachable": _(
        "The printer {printer} does not answer: look at its paper, its cable and its address."
    ),
    "prize_closed": _("That prize is closed: no more claims are heard (R47)."),
    "prizes_unpaid": _("{left} winning cards are still to be paid."),
    "player_missing": _("Write which player or seat takes the cards, in at most 20 signs."),
    "player_needed": _(
        "A player may buy {limit} cards in a game (R35): write the player or the seat, then sell."
    ),
    "player_too_long": _("Write the player or the seat in at most {most} signs."),
    "players_unlike_cards": _(
        "{cards} cards are sold, and {named} are named: write each player or seat with their cards, in the order of the cards."
    ),
    "bad_players": _("Write one player or seat a line, and last how many cards: Mesa 4 6."),
    "player_not_named": _(
        "{player} has {had} cards written down in this game: look at the name and the cards again."
    ),
    "quantity_not_positive": _("Type how many cards: 1 or more."),
    "reading_settled": _("Somebody has already decided on this ball: look at the newest ball."),
    "readings_waiting": _("A ball waits to be confirmed: confirm or dismiss it first."),
    "reason_missing": _("Write the reason: it goes into the record."),
    "receiver_missing": _("Write to whom the money goes, as the regulator's decision names them."),
    "recipient_missing": _("Write to whom the cards are handed."),
    "reference_missing": _("Write the reference of the authorisation, as its document has it."),
    "matrix_seeded": _(
        "These are the cards of a demonstration, which anybody can make again: take other cards."
    ),
    "reference_too_long": _("A reference has at most {most} signs: shorten it."),
    "reference_used": _(
        "Authorisation {reference} is already recorded: check it, or write what sets the new one apart."
    ),
    "refunds_due": _("{left} cards are still to be refunded."),
    "refunds_missing": _(
        "No card is left to set aside: every one is refunded or set aside already."
    ),
    "remark_answered_already": _("This remark has been answered already: open the page again."),
    "resolution_changed": _(
        "The camera's pictures are now {width}×{height}: calibrate it again, or set it back."
    ),
    "retention_in_the_past": _(
        "Days of keeping are set from {today} on or later: choose another day."
    ),
    "rng_failed": _(
        "The RNG has failed its self-test and draws no ball: a game under way goes on by hand; before the sale the hall manager decides that the game is drawn otherwise. Have the RNG looked at and started again."
    ),
    "rng_lost": _(
        "The RNG has been started again since the sale was announced and knows this game no more: draw by hand."
    ),
    "rng_not_bound": _("The RNG was not bound to this game before its sale: draw by hand."),
    "rng_not_running": _(
        "The RNG does not answer: a game under way goes on by hand; before the sale wait until it is started again, or let the hall manager decide that the game is drawn otherwise."
    ),
    "rng_opened": _(
        "The RNG has been opened for this game and draws no more of its balls: draw by hand."
    ),
    "rng_other_head": _(
        "The RNG is bound to another announcement of this draw: draw by hand, and have the journal audited."
    ),
    "role_missing": _("Choose at least one role; whoever leaves is disabled instead."),
    "same_hall": _("Choose another hall: the issue is in this one."),
    "same_matrix": _(
        "Series {letter} is on sale already and its cards would be equal (R38): choose an issue of another letter."
    ),
    "same_player": _("{player} has these cards already: write another player or seat."),
    "same_seller": _("{seller} has these cards already: choose another seller."),
    "screen_gone": _("This screen is on the list no longer: look at the list again."),
    "second_half_due": _(
        "The double cards still have their second game (R15): open and play it first."
    ),
    "second_must_start_at_one": _("The second issue must be unused (R38): choose another."),
    "seal_key_not_made": _("No key of the seal was made: {why} Mend that, then try again."),
    "roll_call_amiss": _(
        "The roll call of ball set {ball_set} found something wrong (missing: {missing}; of another set: {foreign}): put it right and call the balls again under Equipment (R23)."
    ),
    "roll_call_missing": _(
        "Ball set {ball_set} has not been called for this session (R23): let every ball run past, and write down the roll call under Equipment."
    ),
    "session_end_missing": _("Write when the session is to end (R53)."),
    "second_person_needed": _(
        "Two persons must stand for this: ask a second one to type name and password."
    ),
    "second_person_not_needed": _(
        "The balls of this game need no second person: announce the ball."
    ),
    "seed_missing": _(
        "Type the seed of the demonstration: without one the cards would be real and unmarked."
    ),
    "serial_missing": _("Type the serial number of the ball set (R22)."),
    "series_faulty": _(
        "The series is not legal ({rule}): card {card}. {fault} Faults in all: {count}."
    ),
    "series_size_not_positive": _("A series has at least one card: type how many."),
    "series_too_large": _(
        "{size} cards are too many: without repetition there are at most {limit} ({bound})."
    ),
    "session_already_open": _("A session is already open: close it first."),
    "session_closed": _("The session is closed: reload the page."),
    "session_still_open": _(
        "Session {session} is still open, and card {card} is of it: close the session first."
    ),
    "set_aside_already": _(
        "Card {card} is set aside already: it is paid from the unclaimed money, and not here."
    ),
    "setup_word_locked": _(
        "There were too many wrong words: wait a quarter of an hour, then try again."
    ),
    "setup_word_wrong": _(
        "This is not the word that the server shows on its terminal: read it there, and type it again."
    ),
    "several_prices_not_authorised": _(
        "The authorisation grants one price a game: sell this issue in another game."
    ),
    "shares_over_gross": _(
        "All prizes together would get {fund} % of the sales: they cannot get more than all."
    ),
    "shift_already_open": _("This till is already open: choose another."),
    "shift_not_open": _("This till is closed: open it first."),
    "shift_still_open": _("The shift at {till} is still open: count its drawer first."),
    "shifts_open": _("{left} tills are still open: their cashiers must close them."),
    "shown_meanwhile": _("Another ball was shown meanwhile: finish once more."),
    "size_not_of_letter": _(
        "Series {letter} does not have {size} cards (R16): write the size into the authorisation that grants it (R19)."
    ),
    "size_out_of_range": _("A series has from 1 to {most} cards: look at {letter} {size} again."),
    "sold_out": _("No card is left to sell."),
    "source_not_of_game": _(
        "A ball {source} cannot come now: the balls of this game are {expected}. After a fault, change the source first."
    ),
    "source_not_possible": _(
        "The balls of this game cannot be {source} any more: go on by hand (R55)."
    ),
    "source_open": _("The first ball decides where the balls of this game come from: announce it."),
    "source_unchanged": _("The balls of this game are {source} already: go on."),
    "stale_page": _("The hall has moved on: look at the page again."),
    "symbols_and_numbers": _(
        "Issue {identification} has not the same signs on its cards: numbers follow numbers, symbols follow symbols (R38). Choose another."
    ),
    "not_refused": _(
        "Card {card} was not refused for its marks for this prize: check it as any other."
    ),
    "suspended": _(
        "The game is suspended ({reason}): the table chief resumes it first, or voids it (R55)."
    ),
    "symbol_ambiguous": _(
        "“{typed}” may be {symbols}: type more letters, or choose the symbol from the grid."
    ),
    "symbol_unknown": _(
        "There is no symbol “{typed}”: type the first letters of its name, or choose it from the grid."
    ),
    "symbols_only_for_30": _("Only cards of 30 are printed with symbols (R80): leave them out."),
    "text_missing": _("Write down what happened."),
    "till_exists": _("There is a till {till} already, in use or not: take another name."),
    "till_out_of_use": _("{till} is out of use: choose another till, or ask the hall manager."),
    "till_without_printer": _(
        "Checkpoints are printed where there is a printer: type its address."
    ),
    "too_fast": _(
        "Between two balls of the RNG there are {least} to {most} seconds (R31): type it again."
    ),
    "too_many_cards": _("At most {most} cards go into one record: take the rest afterwards."),
    "too_many_halls": _("There are {most} halls already: part one of them first."),
    "too_many_levels": _("A jackpot has {most} levels at most: leave the others out."),
    "too_many_rectifications": _(
        "The acta of a session is rectified {most} times at most: write to the regulator."
    ),
    "too_many_tills": _("A hall has {most} tills in use at most: take one out of use first."),
    "too_soon": _("The next ball may come in {left} s: wait for it."),
    "training_game_open": _(
        "A game is under way in training: play it to its end, or void it at the table."
    ),
    "training_is_apart": _(
        "A training hall has nothing to do with real ones: choose another hall."
    ),
    "training_series": _("These cards are of a real hall: training has its own."),
    "transfer_arrived": _("{hall} has already taken the issue in: reload the page."),
    "transfer_recalled": _("{hall} has called the issue back: leave it to them."),
    "unclaimed_paid_already": _(
        "What was owed for card {card} is paid or past its period: pay nothing, and call the table chief."
    ),
    "unclaimed_period_over": _(
        "What is owed for this card was to be fetched by {day}: its period is over."
    ),
    "unclaimed_without_jackpot": _(
        "Unclaimed money goes to a jackpot of the hall only where the authorisation grants one."
    ),
    "unknown_duty": _("There is nothing of that name to leave out: reload the page."),
    "unknown_ball_set": _("This ball set is not in the hall's books: open the page again."),
    "unknown_camera": _("This camera is not in use in the hall: open the page again."),
    "unknown_case": _("This case is not in the hall's books: open the page again."),
    "unknown_category": _("Choose a category from the list."),
    "unknown_cause": _("Choose a cause from the list."),
    "unknown_colour": _("Cards are not printed in the colour “{colour}”: choose one of the list."),
    "unknown_combination": _("Choose line or bingo."),
    "unknown_command": _("The hall asks for no second person for this: choose from the list."),
    "unknown_complaint": _("This complaint is not in the hall's books: open the page again."),
    "unknown_currency": _("No currency has this code: type three letters, as in CVE or EUR."),
    "unknown_decision": _("Choose a decision from the list."),
    "unknown_device": _("This equipment is not in service in the hall: open the page again."),
    "unknown_fault": _("Choose from the list what is wrong with the card, or that it is intact."),
    "unknown_format": _("There is no card of {format} numbers: choose 90, 80, 75 or 30."),
    "unknown_game": _("The hall has played no such game: look at the numbers again."),
    "unknown_hall": _("Choose another hall of the list."),
    "unknown_health": _("This is no fault of a camera that is known: {health}."),
    "unknown_issue": _("Choose an issue of this hall."),
    "unknown_item": _("This is no longer on the list of the check: open the page again."),
    "unknown_language": _("The pages are not written in this language: choose one of {known}."),
    "unknown_lesson": _("There is no such lesson: choose one of the three."),
    "unknown_level": _("Choose a level of the jackpot from the list: there are {most} at most."),
    "unknown_line": _("Choose from the list what counts as a line."),
    "unknown_link": _(
        "The hall takes part in no linked jackpot of this code: let it take part first, under Jackpot."
    ),
    "unknown_moment": _("Balls are called at a session's start or at its end: choose one."),
    "unknown_pattern": _("There is no figure {pattern}: choose one of the gallery."),
    "unknown_reason": _("This is no reason that is known: {reason}."),
    "unknown_receipts": _("Choose from the list how receipts are given."),
    "unknown_remark": _("There is no such remark on this acta: open the page again."),
    "unknown_role": _("Choose the roles from the list."),
    "unknown_rulebook": _("There is no rule book {rulebook}: choose one of the list."),
    "unknown_seller": _("Choose a floor seller of this hall."),
    "unknown_series": _("Choose a series of this hall."),
    "unknown_shown_ball": _("This picture is not there any more: look at the next one."),
    "unknown_source": _("Choose from the list where the balls come from."),
    "unknown_source_of_jackpot": _(
        "The jackpot is taken from all prizes, the line or the bingo: choose one of them."
    ),
    "unknown_till": _("Choose a till of this hall."),
    "unknown_time_zone": _(
        "There is no such time zone: type one such as Atlantic/Cape_Verde or Europe/Madrid."
    ),
    "unknown_transfer": _("No such issue is on its way: reload the page."),
    "used_destroyed_already": _(
        "The used cards of game {game} have already been destroyed: open the page again."
    ),
    "username_taken": _("{username} is somebody's name already: type another one for the login."),
    "unknown_wall_picture": _("This picture is not on the wall any more: look again."),
    "wall_picture_known": _("The wall shows this picture already, as {name}: choose another."),
    "wall_picture_missing": _("No picture was chosen: choose one, then add it."),
    "wall_pictures_full": _("The wall has {most} pictures already: remove one first."),
    "window_not_held": _("A card is right: ask for more before going on (R46)."),
    "window_too_short": _("Give the hall time to answer: wait {left} seconds more (R46)."),
    "winners_of_no_prize": _("The game has no such prize: name line or bingo."),
    "winners_out_of_range": _("A prize has 1 to {most} winning cards: write their number again."),
    "witness_locked": _(
        "Too many wrong passwords for this name: wait a quarter of an hour, or ask another person."
    ),
    "witness_not_allowed": _("This person may not be the second one in this hall. Ask: {roles}."),
    "witness_same_person": _(
        "The second person must be somebody else: call a table chief or hall manager."
    ),
    "witness_unknown": _(
        "The second person's name or password is wrong: let them type both again."
    ),
    "wrong_phase": _("Not now: {phase}. Wait for the next step."),
}
