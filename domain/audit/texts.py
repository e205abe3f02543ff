"""What each event of the audit says in words: the one table of all actions that the code records.

tests/domain/audit/test_texts.py compares it with the code. {name} is what the event is about: its name where the shop
has one for it that is no person's, else its number or code.
"""

from collections.abc import Mapping

from domain.audit.recording import Subject

TEXTS: Mapping[str, str] = {
    "audit.check": "Checked the audit",
    "bulk_change.start": "Started bulk change {name}",
    "call.refuse": "Was refused the call {name}",
    "category.create": "Created category {name}",
    "category.edit": "Edited category {name}",
    "category.set_image": "Changed the picture of category {name}",
    "certificate.correct_name": "Corrected the name on a certificate of learner {name}",
    "certificate.revoke": "Revoked a certificate of learner {name}",
    "confirmation.ask": "Asked another administrator to confirm a change about {name}",
    "confirmation.confirm": "Confirmed a change about {name}",
    "confirmation.expire": "Ended a change about {name} that nobody confirmed in time",
    "confirmation.refuse": "Refused to confirm a change about {name}",
    "confirmation.skip": "Changed {name} alone, as there was no other administrator",
    "confirmation.withdraw": "Withdrew a change about {name} that waited",
    "content.publish": "Published written page {name}",
    "contract.buy": "Changed contract {name} by buying first seats",
    "contract.change": "Changed the terms of contract {name}",
    "contract.create": "Made contract {name}",
    "contract.join_code": "Made a new code to join by contract {name}",
    "contract.join_code_off": "Ended the code to join by contract {name}",
    "coupon.create": "Created coupon {name}",
    "coupon.end": "Ended coupon {name}",
    "coupon.pause": "Paused coupon {name}",
    "coupon.resume": "Put coupon {name} into use",
    "coupon_alarm.decide": "Decided coupon alarm {name}",
    "coupon_batch.create": "Created coupons of campaign {name} at once",
    "coupon_batch.start": "Started coupon batch {name}",
    "coupon_batch.take": "Took the codes of coupon batch {name}",
    "course.close": "Announced when access to course {name} ends",
    "course.create": "Created course {name}",
    "course.decide_page": "Decided what the page of retired course {name} answers",
    "course.duplicate": "Created course {name} as a copy",
    "course.edit": "Edited course {name}",
    "course.edit_lessons": "Edited the lessons of course {name}",
    "course.export": "Saved the lessons of course {name} as a cartridge",
    "course.keep_open": "Withdrew the end of access to course {name}",
    "course.publish": "Published course {name}",
    "course.refuse": "Did not publish course {name}, which lacks something",
    "course.rename": "Changed the address of course {name}",
    "course.retire": "Retired course {name}",
    "course.schedule": "Scheduled course {name}",
    "course.withdraw": "Made course {name} a draft again",
    "dead_letter.drop": "Dropped dead letter {name}",
    "dead_letter.replay": "Replayed dead letter {name}",
    "dead_letters.replay": "Replayed dead letters",
    "delivery_rate.add": "Added delivery rate {name}",
    "delivery_rate.end": "Changed the last day of delivery rate {name}",
    "delivery_rate.withdraw": "Took back delivery rate {name}, which had not begun",
    "delivery_zone.add": "Added delivery zone {name}",
    "delivery_zone.change_places": "Changed the countries of delivery zone {name}",
    "enrolment.complete": "Completed enrolment {name} by hand",
    "image.start": "Sent in picture {name}",
    "import-check.start": "Started check {name} of a file to import",
    "import.start": "Started import {name}",
    "instructor.create": "Created instructor {name}",
    "instructor.edit": "Edited instructor {name}",
    "instructor.set_image": "Changed the picture of instructor {name}",
    "invitation.cancel": "Cancelled invitation {name}",
    "invitation.decline": "Declined invitation {name}",
    "invitation.resend": "Sent invitation {name} again",
    "invitation.send": "Sent invitation {name}",
    "item.create": "Created item {name}",
    "item.decide_page": "Decided what the page of retired item {name} answers",
    "item.edit": "Edited item {name}",
    "item.publish": "Published item {name}",
    "item.refuse": "Did not publish item {name}, which lacks something",
    "item.rename": "Changed the address of item {name}",
    "item.retire": "Retired item {name}",
    "item.schedule": "Scheduled item {name}",
    "item.withdraw": "Made item {name} a draft again",
    "job.stop": "Stopped job {name}",
    "learner.end_access": "Ended an access of learner {name}",
    "learner.enrol": "Enrolled learner {name} by hand",
    "learner.erase": "Deleted the account of learner {name}",
    "learner.erase_visits": "Took learner {name} out of all visits",
    "learner.extend_access": "Changed until when an access of learner {name} lasts",
    "learner.export": "Exported the data of learner {name}",
    "learner.open": "Opened the page of learner {name}",
    "learner.price": "Tried prices for learner {name}",
    "learner.restrict": "Changed what learner {name} sees as a member",
    "learner.sign_out": "Signed learner {name} out everywhere",
    "list.export": "Saved the list {name} as a file",
    "mail.send": "Sent mail {name} again",
    "member.join": "Joined as member {name}",
    "member.leave": "Member {name} deleted their account",
    "member.remove": "Removed member {name}",
    "member.role": "Changed the role of member {name}",
    "member.team": "Changed the team of member {name}",
    "members_file.start": "Started file of people {name}",
    "message.answer": "Answered message {name}",
    "message.close": "Closed message {name}",
    "message.reopen": "Opened message {name} again",
    "order.approve_refund": "Approved a refund of order {name}",
    "order.approve_refund_in_part": "Approved a part of a refund of order {name}",
    "order.cancel": "Cancelled order {name}",
    "order.correct_parcel": "Corrected a parcel of order {name}",
    "order.decline_refund": "Declined a refund of order {name}",
    "order.deliver": "Noted that order {name} has arrived",
    "order.refund": "Refunded order {name}",
    "order.retry_refund": "Had a failed refund of order {name} tried again",
    "order.settle_refund": "Noted that a failed refund of order {name} was paid by hand",
    "order.ship": "Noted that order {name} was sent",
    "order.use_voucher": "Noted that a voucher of order {name} was used",
    "organisation.answer": "Answered a question about organisation {name}",
    "organisation.apply": "Applied for organisation {name}",
    "organisation.apply_again": "Applied again for organisation {name}",
    "organisation.approve": "Approved organisation {name}",
    "organisation.approve_domain": "Approved an email domain of organisation {name}",
    "organisation.ask": "Asked organisation {name} for information",
    "organisation.decline": "Declined organisation {name}",
    "organisation.enter": "Entered the area of organisation {name}",
    "organisation.logo": "Changed the logo of organisation {name}",
    "organisation.remove_domain": "Removed an email domain of organisation {name}",
    "organisation.rename": "Renamed organisation {name}",
    "organisation.request_domain": "Asked for an email domain for organisation {name}",
    "outbox.replay": "Replayed dead rows of outbox {name}",
    "page.refuse": "Was refused the page {name}",
    "price.apply": "Applied the planned price of product {name}",
    "price.change": "Changed the price of product {name}",
    "price.plan": "Planned a price of product {name}",
    "price.withdraw": "Withdrew the planned price of product {name}",
    "product.set_image": "Changed the picture of product {name}",
    "restore.test": "Recorded that a copy was restored and looked at",
    "review.hide": "Hid review {name}",
    "review.publish": "Showed review {name} again",
    "search.bring_back": "Showed dismissed search {name} again",
    "search.dismiss": "Dismissed search {name}",
    "seat.assign": "Assigned seat {name}",
    "seat.reclaim": "Took seat {name} back",
    "seat.remind": "Reminded the holder of seat {name}",
    "seats.order": "Ordered seats by order {name}",
    "signing_key.distrust": "Marked signing key {name} as known to others",
    "staff.add": "Gave a role to staff member {name}",
    "staff.remove": "Took a role from staff member {name}",
    "staff.sign_in": "Signed in as staff",
    "tax_rate.add": "Added tax rate {name}",
    "tax_rate.end": "Changed the last day of tax rate {name}",
    "tax_rate.withdraw": "Took back tax rate {name}, which had not begun",
}


def event_text(action: str, subject: Subject, name: str | None) -> str:
    """Such as "Edited course “Payroll Basics”"; `name` None: it is called by its number or code. An action that no
    code records any more is itself."""
    text = TEXTS.get(action, f"{action} {{name}}")
    return text.format(name=f"“{name}”" if name else subject.id)


def action_text(action: str) -> str:
    """Such as "Edited course …", for a choice among all."""
    return TEXTS[action].format(name="…")


def kind_text(kind: str) -> str:
    """What a kind of subject is called: "Coupon alarm"."""
    return kind.replace("_", " ").replace("-", " ").capitalize()


def kind_of(text: str) -> str:
    """The kind of subject that somebody names, as records have it: "coupon_alarm"."""
    return text.strip().lower().replace(" ", "_")
