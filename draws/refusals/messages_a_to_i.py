"""What each refusal says, by its code, from A to I: why, and what to do now."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

# Values of the refusal are named in braces.

A_TO_I: Mapping[str, Promise] = {
    "account_locked": _("There were too many wrong passwords: wait a while, then try again."),
    "account_not_an_inspectors": _(
        "That account is no inspector's: only accounts of inspectors are joined."
    ),
    "account_of_this_hall": _("That account is of this hall: give the one in the other hall."),
    "account_unknown": _("The name or the password is not right: try again."),
    "acta_acknowledged_already": _(
        "The acta of session {session} has been acknowledged already: add a remark, if there is something to say."
    ),
    "acta_not_sealed": _(
        "The acta of session {session} is not sealed yet: close the session first, or wait a moment."
    ),
    "acta_replaced": _(
        "Another acta has taken its place meanwhile: open the page again and read that one."
    ),
    "address_not_allowed": _(
        "No camera is asked at {host}: give its address in the hall's own network."
    ),
    "already_claimed": _("Card {card} has already been checked and is right: open the window."),
    "already_paid": _("Card {card} has already been paid. Call the table chief."),
    "already_refunded": _("Card {card} has already been refunded."),
    "already_right": _(
        "Card {card} was checked for this prize at {at} and is right: check another card, or go on "
        "with the window."
    ),
    "already_two": _("Two issues are already on sale: close the sale when they are sold out."),
    "already_withdrawn": _(
        "Issue {letter} {identification} is already withdrawn: reinstate it, or leave it."
    ),
    "another_caller": _(
        "Another caller calls this draw: take it over first, if that caller cannot go on."
    ),
    "archive_bomb": _("This archive unpacks to more than any hall's record: ask for another copy."),
    "archive_differs": _(
        "{name} in this archive is not the file that was signed: ask for another copy."
    ),
    "archive_disagrees": _(
        "The rows of {hall} do not follow from its journal (entry {entry}: {why}): nothing was restored. Ask for another copy."
    ),
    "archive_extra": _("{name} is in this archive and was never signed: ask for another copy."),
    "archive_incomplete": _("{name} is missing from this archive: ask for another copy."),
    "archive_linked": _(
        "The hall of this archive takes part in a jackpot of several halls, whose account no"
        " single hall's archive holds: restore a copy of the whole database instead."
    ),
    "archive_name": _(
        "A file in this archive is named {name}, as none of ours is: ask for another copy."
    ),
    "archive_of_training": _(
        "The archive is of a training hall: it can be read and verified, not restored."
    ),
    "archive_rows": _(
        "{name} in this archive cannot be put into the database. Where halls handed issues on, give the archives of all of them."
    ),
    "archive_unreadable": _("This file is no archive, or is damaged: ask for another copy."),
    "archive_unsigned": _("The signature of this archive does not hold: ask for another copy."),
    "archive_untrusted": _(
        "This archive is signed under another authority than the one given: ask where it comes from."
    ),
    "back_colour_differs": _(
        "The backs of series {letter} are {expected_colour}, not {colour} (R18): choose that colour."
    ),
    "back_colour_taken": _(
        "The colour {colour} is that of the backs of series {letter} (R18): choose another."
    ),
    "bad_amount": _("This amount cannot be read with certainty: type it like 5000 or 5000,50."),
    "bad_automatic": _(
        "A reading is announced by itself from 0 (never) to {most} % on: type it again."
    ),
    "bad_ball_set_games": _("The games served before go from 0 to {most}: type the number again."),
    "bad_camera_address": _("Type the camera's address: at most {most} plain signs."),
    "bad_camera_settings": _("The settings of the camera cannot be kept: calibrate it again."),
    "bad_camera_name": _("A camera's name has at most {most} plain signs: type it again."),
    "bad_cash_step": _("No coin is worth that: type the smallest coin that prizes are paid in."),
    "bad_code": _("This is no card code: look at its sixteen digits again."),
    "bad_commitment": _("The RNG gave no proper commitment: try again, or draw by hand."),
    "brought_already": _("Card {card} is at the table already: somebody brought it."),
    "nobody_called": _("Nobody has called, or the draw goes on: no card is brought now."),
    "bad_birth_date": _("Read the birth date again: nobody living was born then."),
    "bad_capacity": _("Write how many people may be inside, from 1 to {most}."),
    "hall_full": _(
        "The hall is full: {capacity} people may be inside. Let nobody in until somebody leaves."
    ),
    "minor": _(
        "Under {age}. Say calmly that nobody under {age} may come in, and let the next person come. It is noted."
    ),
    "excluded": _(
        "This person is on the list of the excluded. Say quietly that they cannot come in today and that the hall manager explains it, and call the hall manager. Others need not hear why. It is noted."
    ),
    "document_needed": _(
        "A document is asked of each: type its number. Whoever shows none is not let in: note it below."
    ),
    "bad_document": _(
        "Read the document again: its number has {least} to {most} letters and digits."
    ),
    "unknown_document": _("Choose which document it is."),
    "unknown_country": _("Write the country of the document in two letters, as ES, PT or CV."),
    "document_key_missing": _(
        "The key of the documents cannot be read: nobody is let in until it is back. Call whoever looks after the machine: {file} is put back from its copy."
    ),
    "document_key_differs": _(
        "The key of the documents is another one: nobody is let in until the right one is back. Call whoever looks after the machine: {file} is put back from its copy."
    ),
    "unknown_exclusion_reason": _("Choose why the person is excluded."),
    "exclusion_ends_before": _("The last day comes before the first: look at both again."),
    "exclusion_over": _("That exclusion would be over already: look at its last day again."),
    "already_excluded": _("Exclusion {number} is of the same document, reason and days."),
    "unknown_exclusion": _("There is no exclusion {number}: look at the list again."),
    "exclusion_lifted": _("Exclusion {number} is lifted already."),
    "nobody_inside": _("Nobody is inside by the count: set the count right below."),
    "bad_count": _("Count the cards again: the number goes from 0 to {most}."),
    "bad_difference_limit": _(
        "The difference allowed without a reason is below zero or too large: type a smaller one."
    ),
    "bad_face": _("The price of a card must be above zero."),
    "bad_hall_code": _(
        "The hall's code has 1 to 50 small letters, digits and hyphens, as in sala-mindelo; it does not begin with demo-: type another."
    ),
    "bad_hall_name": _("Type the hall's name as papers have it: at most {most} plain characters."),
    "bad_identification": _(
        "An identification has at most {most} letters A to Z and digits, in groups: type it again."
    ),
    "bad_interval": _("Between two balls of the RNG there are 0 to {most} seconds: type it again."),
    "bad_licence": _(
        "Type the number of the hall's licence, as its papers have it: at most {most} plain characters."
    ),
    "bad_low_stock": _(
        "The number of cards below which stock is short goes from 0 to {most}: type it again."
    ),
    "bad_moment": _("This moment cannot be read: reload the page and try again."),
    "bad_opening": _("The RNG did not open its commitment as it must: tell the hall manager."),
    "bad_patience": _(
        "A ball is missing after {least} to {most} seconds, or 0 for never: type it again."
    ),
    "bad_payment_limit": _(
        "The amount up to which one person pays a prize is below zero or too large: type a smaller one, or 0."
    ),
    "bad_period": _("The last day comes before the first: choose the days again."),
    "bad_person_name": _(
        "Type the person's name in one line, as papers have it: at most {most} characters."
    ),
    "bad_picture": _("What the camera sent is no picture of a ball: look at the camera."),
    "bad_picture_days": _(
        "Pictures of balls are kept {least} to {most} days (R52): type the days again."
    ),
    "bad_place": _("The seat or table takes one line of at most {most} characters: shorten it."),
    "bad_player_limit": _(
        "A player's limit goes from 1 to {most} cards: look at it again, or leave it empty."
    ),
    "bad_printer": _(
        "“{printer}” is no printer in the hall's own network: type its name or address and its port, such as 192.168.1.20:9100."
    ),
    "bad_reading": _("What the camera read cannot be: look at the ball itself."),
    "bad_reference": _(
        "A reference has plain letters, digits and signs on one line: type it again."
    ),
    "bad_retention": _("{kind}: type {least} to {most} days, or 0 to keep them for good."),
    "bad_text": _("A text has at most {most} plain characters: shorten it."),
    "bad_input": _("Look at “{field}”: it is missing, or not what is asked for there."),
    "bad_jackpot_schedule": _(
        "The limit rises every so many sessions by at least one ball, to more than {limit} and {most} at most: look at it again."
    ),
    "bad_jackpot": _(
        "The balls and the base amount of the jackpot cannot be below zero: look at them again."
    ),
    "bad_link": _(
        "A linked jackpot has neither a ceiling nor a rising limit: leave them empty, or choose no link."
    ),
    "bad_link_code": _(
        "The code of a linked jackpot has small letters, digits and hyphens, 40 at most: write it so in every hall."
    ),
    "bad_link_name": _(
        "Write the name of the linked jackpot on one line, with {most} letters at most."
    ),
    "bad_letter": _("“{letter}” is no letter of a series: use one to five of A to Z and digits."),
    "bad_seed": _("A seed has at most {most} plain signs: type a shorter one."),
    "approval_ends_early": _("The approval ends before it begins: read its two days again."),
    "approval_incomplete": _(
        "An approval has a number, an authority and a day from which it holds: write all three."
    ),
    "bad_session_end": _("The session ends later than now, and within a day: type the hour again."),
    "bad_series_file": _("This is no file of a series: look at {where}."),
    "bad_tax": _(
        "The tax is from 0 to 100 % of what a prize has above its threshold: look at both again."
    ),
    "bad_till_name": _(
        "A till's name has 1 to {most} letters, digits or plain signs, without spaces at its ends."
    ),
    "bad_tills": _("A hall opens with 1 to {most} tills: type how many."),
    "bad_unclaimed_terms": _(
        "Unclaimed money: give both the days, from 1 to {most}, and where it goes then, or neither."
    ),
    "bad_username": _(
        "The name for the login has 2 to 150 small letters, digits, dots and hyphens, as in maria.lima: type another."
    ),
    "ball_already_drawn": _("Ball {number} is already out: look at the ball again."),
    "ball_not_drawn": _(
        "Ball no. {ball} has not been drawn in this game, in which {drawn} have: look at the board, or leave the ball out."
    ),
    "ball_not_in_set": _("There is no ball {number}: balls go from 1 to {highest}."),
    "ball_out_of_range": _("There is no ball {number}: balls go from 1 to {highest}."),
    "ball_set_faulty": _(
        "Ball set {ball_set} was found unfit: put another in use, or mend it and inspect it again."
    ),
    "ball_set_in_game": _(
        "The balls of this game come from set {ball_set}: wait until its draw is over."
    ),
    "ball_set_in_use": _("Ball set {ball_set} is in use already."),
    "ball_set_known": _(
        "A ball set with the serial number {ball_set} is registered already: look at it again."
    ),
    "ball_set_not_in_use": _("Ball set {ball_set} is not in use."),
    "ball_set_retired": _("Ball set {ball_set} is retired: take another one."),
    "ball_set_missing": _(
        "No set of {format} balls is in use (R22): register the set under Equipment and put it in use, or let the hall manager and a second person leave it out."
    ),
    "ball_set_worn": _(
        "Ball set {ball_set} has served {games} of the {most} games allowed (R25): put another set in use under Equipment."
    ),
    "balls_not_shown": _("These balls of the set were not shown yet: {numbers}."),
    "balls_waiting": _("Balls shown and not named yet: {left}. Name or dismiss each."),
    "bingo_already_awarded": _("The bingo has been awarded: finish the game."),
    "bingo_below_floor": _(
        "The bingo must keep at least {floor} % of the sales (R7): it would get {bingo} %."
    ),
    "bingo_not_awarded": _("Nobody has won the bingo yet: resume the draw."),
    "blocks_out": _("{seller} still has cards {first} to {last}: settle with {seller} first."),
    "breakdown_goes_on": _("{name} is already down as broken: write what helped first."),
    "breakdown_over": _("This breakdown of {name} is over already."),
    "camera_in_game": _("A game is being drawn before camera {camera}: wait until it is over."),
    "camera_known": _("There is already a camera called {camera}: give this one another name."),
    "camera_not_calibrated": _("This camera has no settings yet: calibrate it first."),
    "camera_of_other_format": _(
        "Camera {camera} looks at balls of {format}: a ball before it is none of this game."
    ),
    "camera_sends_on": _(
        "The camera at {address} sends on to another address: give the one it is itself reached at."
    ),
    "card_already_retired": _("Card {card} is already retired: look at the numbers again."),
    "card_already_sold": _(
        "Card {card} has been sold: only cards that nobody has bought can be retired."
    ),
    "card_not_looked_at": _(
        "The hall looks at another card by now, or at none: check the card first, then show it."
    ),
    "card_of_other_game": _(
        "Card {card} is not of the game that case {case} is about: leave it out."
    ),
    "card_out_of_range": _(
        "The issue has cards 1 to {size}: look at the first and the last card again."
    ),
    "card_was_refused": _(
        "Card {card} was refused when its prize was to be paid: it is paid only by a complaint that was upheld (R30, R50)."
    ),
    "cards_back": _(
        "Cards {first} to {last} came back from a seller: sell them first, or write them off with the reason (R38)."
    ),
    "cards_were_sold": _("Cards have been sold in this game: choose another cause."),
    "card_of_two_issues": _(
        "Card {card} was sold of two issues in this game: type the sixteen digits of its code."
    ),
    "case_closed": _("Case {case} is closed already: open the page again."),
    "case_reference_missing": _("Write the reference of the case, as its papers have it."),
    "cash_short": _("The till has too little cash: ask the hall manager to bring some."),
    "cash_step_over_prize": _(
        "One card of {face} pays {amount} for the prize {prize}, less than the smallest coin of {step}: set a smaller coin in the rules of the hall."
    ),
    "cash_too_little": _("The cash given is less than what is due: ask the player for the rest."),
    "cashier_has_a_shift": _("You already have a till open: close it first."),
    "closing_call_amiss": _(
        "The roll call of ball set {ball_set} at the session's end found something wrong (missing: {missing}; of another set: {foreign}): put it right and call the balls again under Equipment (R23)."
    ),
    "closing_call_missing": _(
        "Ball set {ball_set} has not been called since its last game (R23): let every ball run past, and write down the roll call under Equipment."
    ),
    "check_not_complete": _("Items not looked at yet: {left}. Say of each whether it works."),
    "changed_meanwhile": _(
        "The camera was set up anew, or a ball replaced, since the balls were shown: give up and show them again."
    ),
    "checkpoint_history_rewritten": _(
        "The journal no longer passes through entry {number} as it was signed: nothing more is signed. Keep everything as it is, and call the inspector."
    ),
    "checkpoint_history_whole": _(
        "The journal passes through what was signed last: there is no older history to accept."
    ),
    "checkpoint_key_same": _("The new key is the old one: take its file away and renew it again."),
    "checkpoint_key_unreadable": _(
        "The key that signs checkpoints cannot be read in {folder}: restore it from its copy."
    ),
    "checkpoint_unsigned": _(
        "None of this hall's keys signed this, or it was changed since: compare it with the file."
    ),
    "claim_on_ball": _("A card was checked on ball {number}: it can no longer be recalled."),
    "code_out_of_range": _("Issue {issue}, card {card}: a code has room for eight and six digits."),
    "columns_not_a_line": _(
        "The columns of the card of {format} are no lines: they cannot be asked to be unique."
    ),
    "complaint_decided": _("Complaint {complaint} is decided already: open the page again."),
    "complaint_not_upheld": _(
        "Complaint {session}/{complaint} was not upheld: only one that was pays unclaimed money."
    ),
    "complaint_decided_before": _(
        "Complaint {session}/{complaint} was decided before this money was set aside, so it is about something else: open one about this card."
    ),
    "complaint_of_other_card": _(
        "Complaint {session}/{complaint} is about another card: choose the one about this card."
    ),
    "complaint_without_game": _(
        "No game has been opened yet: leave ball and card out, and write them into the text."
    ),
    "corners_not_in_format": _(
        "The card of {format} has no four corners to be won: leave that prize out."
    ),
    "correction_missing": _("Say what is wrong in the acta and what is right."),
    "database_not_empty": _("This database holds a hall already: restore into an empty one."),
    "desk_not_joined": _(
        "That hall is not joined any more: show its account's password again under Halls."
    ),
    "destroyed_already": _("Card {card} has already been destroyed: open the page again."),
    "device_in_use": _("A ball set is in use in {name}: take it out first."),
    "device_known": _("There is already equipment called {name}: give this one another name."),
    "difference_needs_comment": _("The count differs from what is due: count again, or explain."),
    "distribution_repeated": _(
        "The card of {format} has two distributions for one kind of game: leave one out."
    ),
    "double_and_single": _(
        "Double and single cards cannot be in one game (R15): choose another issue."
    ),
    "double_not_authorised": _(
        "Authorisation {authorisation} grants no double cards (R15): receive single ones."
    ),
    "draw_called_already": _("You call this draw already: go on."),
    "drawn_by_rng": _("Ball {number} was drawn by the RNG: it stands."),
    "ends_before_it_begins": _(
        "The authorisation would end on {ends}, before it begins on {begins}: look at the dates."
    ),
    "enrolment_goes_on": _(
        "Balls are being shown to camera {camera} already: finish that, or give it up."
    ),
    "enrolment_over": _("This is over already: begin anew."),
    "equal_cards": _(
        "Card {card} of that issue is equal to one on sale (R38): choose an issue of other cards."
    ),
    "equipment_broken": _(
        "{item} has broken down ({note}): say what helped when it works again, retire it, or let the hall manager decide to go on without it (R32)."
    ),
    "equipment_failing": _(
        "{item} fails in the check that is going on ({note}): look at it again, or end the check and decide about it (R32)."
    ),
    "equipment_fails": _(
        "{item} does not work ({note}): repair or replace it and look at it again, take it out of use, or let the hall manager decide to go on without it (R32)."
    ),
    "duty_left_out": _("It is left out already: go on."),
    "duty_not_due": _("Nothing of this is due any more: reload the page and go on."),
    "equipment_not_checked": _("Check all the equipment first, item by item (R32)."),
    "equipment_required": _(
        "{item}: no hall may be without it (R2). Say that it works, or that it fails and what is wrong."
    ),
    "equipment_unapproved": _(
        "{item} has no approval in force (R4): record its approval under Equipment, or let the hall manager and a second person decide to go on without it."
    ),
    "equipment_unseen": _("{item} has come since the check: look at it too (R32)."),
    "export_changed": _(
        "The file of this archive was changed: do not use it, tell the hall manager, and ask for it again."
    ),
    "export_expired": _("The time of this archive is over: ask for it again."),
    "export_gone": _("The file of this archive is no longer there: ask for it again."),
    "export_not_done": _("This archive has no file: wait until it is done, or ask for it again."),
    "export_not_running": _("This archive has already ended: it cannot be cancelled."),
    "export_under_way": _(
        "An archive that you asked for is not done yet: wait for it, or cancel it first."
    ),
    "export_unknown": _(
        "You have asked for no such archive: choose one of your own from the list."
    ),
    "extra_not_in_format": _(
        "The card of {format} has no such additional prize (R66, R74, R84): leave it out."
    ),
    "extra_repeated": _("The same additional prize is named twice: name it once."),
    "extra_share_missing": _(
        "No part of the sales goes to this additional prize: write its share."
    ),
    "face_colour_differs": _(
        "The faces of cards at {face} are {expected_colour}, not {colour} (R18): choose that colour."
    ),
    "face_colour_taken": _(
        "The colour {colour} is that of the faces of cards at {face} (R18): choose another."
    ),
    "face_not_authorised": _("This price is not authorised for the hall: choose another."),
    "face_repeated": _("The price {face} is written twice: write each once."),
    "faces_missing": _("Write the prices of cards that are authorised: one at least (R17)."),
    "fault_after_first_ball": _(
        "A ball is already out, so a fault voids nothing: go on by hand (R55)."
    ),
    "fault_may_be_mended": _(
        "The fault may still be mended: void the game {left} seconds from now, if it is not (R55)."
    ),
    "fault_not_suspended": _(
        "A fault first suspends the game, and voids it after 15 minutes (R55): close the sale and suspend it, or choose another cause."
    ),
    "figure_not_authorised": _(
        "Games won with a figure need a distribution authorised for them (R73 b)."
    ),
    "figure_of_the_cards": _(
        "These cards have a figure drawn on them (R76): play for that figure, or take another issue."
    ),
    "figure_only_for_75": _("Only cards of 75 have a figure drawn on them (R76): leave it out."),
    "file_missing": _("Choose the file of the series first."),
    "first_not_exhausted": _(
        "The first issue still has {left} cards: sell them first, or write them off with the reason (R38)."
    ),
    "format_not_authorised": _(
        "Cards of {format} numbers are not authorised for the hall: choose another kind."
    ),
    "format_not_in_rulebook": _(
        "The rule book {rulebook} knows no card of {format} numbers: choose another format."
    ),
    "format_repeated": _("Cards of {format} numbers are named twice: name each kind once."),
    "formats_missing": _("Choose the kinds of card that are authorised: one at least (R3)."),
    "fund_differs": _(
        "All prizes together must be {expected} % of the sales (R7): they are {fund} %."
    ),
    "game_not_complete": _("Complete the entry of the last game first (R60)."),
    "game_not_over": _("Game {game} is not over: complete its entry first."),
    "hall_code_taken": _("There is a hall {hall} already: type another code."),
    "hall_exists": _(
        "There is a hall already: log in, or open another one with manage.py open_hall."
    ),
    "handed_over_already": _("Card {card} has already been handed over: open the page again."),
    "held_by_case": _(
        "Card {card} is held by case {case}: keep it until the case is closed (R52)."
    ),
    "held_by_complaint": _(
        "Card {card} is held by complaint {complaint} of session {session}: decide it first, or set the card aside in a case (R51, R52)."
    ),
    "identification_missing": _("Type the identification number of the issue."),
    "identification_used": _("Issue {identification} is already in stock: check the number."),
    "identification_used_there": _(
        "{hall} has an issue of this number already: it cannot go there."
    ),
    "inspector_apart": _(
        "An inspector does no other work in the hall: choose this role alone, or leave it out."
    ),
    "issue_exhausted": _("Issue {letter} {identification} is sold out: choose another issue."),
    "issue_not_in_stock": _(
        "Issue {letter} {identification} has not been counted yet: count its cards first."
    ),
    "issue_not_on_sale": _("That issue is not in this game: read the card again."),
    "issue_not_sent": _("Issue {letter} {identification} is not on its way: reload the page."),
    "issue_on_sale": _(
        "Issue {letter} {identification} is in a game: wait until the game is complete."
    ),
    "issue_sent": _(
        "Issue {letter} {identification} was sent to another hall: call it back first, or choose another."
    ),
    "issue_withdrawn": _(
        "Issue {letter} {identification} is withdrawn: reinstate it first, or choose another."
    ),
    "item_not_failing": _("Nothing speaks against this item any more: open the page again."),
    "item_tests_itself": _("The RNG is tested by itself: nobody says of it that it works."),
}
