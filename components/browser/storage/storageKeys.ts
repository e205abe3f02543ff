/**
 * Names of cookies and storage entries: those of specification §3. No other file has them.
 */
export const COOKIES = {
  login: 'userInfo',
  coupon: 'CouponID',
  restricted: 'IsRestrictedAccess',
  student: 'Stunum',
  email: 'email_address',
  offerId: 'specialcouponid',
  offerCode: 'specialcouponcode',
  offerChecked: 'specialcouponcheck',
  partnerLogo: 'domainLogo',
  /** Ours: the code of a mail whose link was opened in another browser than the one that waits for it. */
  otpHint: 'otp_hint',
  /** Ours: what the cart holds that no account has yet, for /logincallback alone. */
  guestLines: 'guest_lines',
} as const;

/** Local storage. The first two are the specification's, the others ours. */
export const LOCAL_KEYS = {
  cart: 'cart_products',
  coupon: 'couponInfo',
  saved: 'saved_for_later',
  wishlist: 'wishlist_products',
  /** When the session ends; it tells other tabs that somebody signed in or out. */
  session: 'session_until',
  /** The version of the account's cart in cart_products, with the learner's id. */
  cartVersion: 'cart_version',
  videoSpeed: 'video_speed',
} as const;

/** Prefix of local storage entries: one per visit that waits to be sent. */
export const UNSENT_VISIT_PREFIX = 'unsent_visit:';
/** One entry per learner and lesson. */
export const UNSENT_PROGRESS_PREFIX = 'unsent_progress.';
/** One entry per learner, lesson and kind: answers to a quiz, or a note, that the host does not have yet. */
export const LESSON_DRAFT_PREFIX = 'lesson_draft.';

/** Session storage. The first is the specification's, the others ours. */
export const SESSION_KEYS = {
  session: 'session_id',
  referrer: 'inviter_name',
  enrolment: 'pending_enrolment',
  changes: 'price_changes',
  lastReload: 'last_chunk_reload',
  /** When, and of which address, a document counted the visit that it leaves to the next one. */
  countedVisit: 'counted_visit',
  flow: 'identity_flow',
  drafts: 'identity_typed',
  forms: 'form_drafts',
} as const;

/** Local storage: in which zone the times of areas are written. */
export const TIMES = 'area_times';
/** Session storage: where pages of areas were left. */
export const PLACES = 'area_places';
/** Local storage: one entry per file whose upload was begun here. */
export const UPLOAD_PREFIX = 'upload.';
