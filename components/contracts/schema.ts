// Written by scripts/schema from the calls and page props of host/. Change them there, then run it again.

/**
 * `frame`: the provider's page that sends the browser's fingerprint; `hasAuthn` false: only `auth/start`.
 */
export type AboutProvider = {
  origin: string;
  frame: string | null;
  hasAuthn: boolean;
  hasRegistration: boolean;
  isReachable: boolean;
};

/** An active filter, with the address of the list without it. */
export type ActiveFilter = {
  label: string;
  href: string;
};

/** A code was sent to the number. */
export type Added = {
  phone: Phone;
};

export type Phone = {
  id: string;
  number: string;
  isVerified: boolean;
};

/** `isPrimary`: the address becomes the primary one when its code confirms it. */
export type Address = {
  email: string;
  isPrimary?: boolean;
};

/** `title`: that of the page, which its loading view shows. `roles`: those that have the permission. */
export type AreaErrorProps = {
  title: string;
  heading: string;
  message: string;
  permission: string | null;
  roles: string[];
};

/**
 * `signIn`: null for a public area. `nav`: the pages that the session may open, in the order of routes.json; empty
 * without a session.
 */
export type AreaProps = {
  id: string;
  title: string;
  layout: string;
  home: string;
  signIn: string | null;
  nav: NavGroup[];
};

export type NavGroup = {
  title: string;
  links: NavLink[];
};

export type NavLink = {
  href: string;
  label: string;
};

export type Attribute = {
  name: string;
  title: string;
  required: boolean;
  isReadOnly: boolean;
  minLength: number | null;
  maxLength: number | null;
};

export type Authenticator = {
  kind: 'password' | 'email' | 'phone' | 'app' | 'question' | 'verify' | 'webauthn';
  label: string;
  /** Data that a person or a browser needs to complete a step; each member only where it applies. */
  data: {
    qrcode?: string;
    secret?: string;
    contact?: string;
    questions?: SecurityQuestion[];
    question?: string;
    activation?: {
      [k: string]: unknown;
    };
    challenge?: {
      [k: string]: unknown;
    };
    correctAnswer?: string | number;
    rules?: PasswordRules;
  };
};

export type SecurityQuestion = {
  key: string;
  question: string;
};

/** `lowercase` and the like: the required number, or whether one is required. */
export type PasswordRules = {
  minLength?: number;
  lowercase?: number | boolean;
  uppercase?: number | boolean;
  number?: number | boolean;
  symbol?: number | boolean;
  excludeUsername?: boolean;
};

export type BadgeCell = {
  kind: 'badge';
  text: string;
  tone: 'neutral' | 'info' | 'good' | 'warning' | 'bad';
};

/** An action on the selected rows. The page carries it out; a dangerous one asks first. */
export type BulkAction = {
  id: string;
  label: string;
  isDangerous: boolean;
};

/** One course or shop item in a list. `price` is the price now, `listPrice` the one without a sale. */
export type Card = {
  id: number;
  kind: 'course' | 'item';
  href: string;
  name: string;
  subtitle: string;
  category: string;
  level: ('beginner' | 'intermediate' | 'advanced' | 'all') | null;
  language: string | null;
  itemKind: ('book' | 'voucher' | 'bundle' | 'physical') | null;
  picture: Picture;
  listPrice: number;
  price: number;
  rating: number | null;
  ratingCount: number;
  durationMin: number | null;
  lessonCount: number | null;
};

export type Picture = {
  src: string;
  width: number;
  height: number;
  alt: string;
};

/** `lines` are a guest's cart; a learner's cart is stored here. */
export type CartCoupon = {
  code: string;
  lines?: RequestedLineSchema[];
};

export type RequestedLineSchema = {
  id: number | string;
  quantity: number;
};

export type CartLineSchema = {
  id: number;
  kind: 'course' | 'item';
  name: string;
  href: string;
  picture: Picture;
  category: CategoryName;
  itemKind: ('book' | 'voucher' | 'bundle' | 'physical') | null;
  quantity: number;
  stock: number | null;
  listPrice: number;
  salePrice: number | null;
  unitPrice: number;
  unitDiscount: number | null;
  code: string | null;
  seenPrice: number | null;
  steps: StepSchema[];
  rejectedOffers: RejectedOfferSchema[];
  total: number;
};

export type CategoryName = {
  slug: string;
  name: string;
};

export type StepSchema = {
  step: 'list' | 'sale' | 'organisation' | 'code' | 'coupon' | 'tax';
  name: string;
  change: number;
  total: number;
};

export type RejectedOfferSchema = {
  step: 'list' | 'sale' | 'organisation' | 'code' | 'coupon' | 'tax';
  name: string;
  total: number;
  reason: 'higher' | 'equal';
  message: string;
};

export type CartOutcomeSchema = {
  status: 'success' | 'failed';
  message: string;
  cart: CartSchema | null;
};

/** `version` grows with every change of a learner's cart; 0 for a guest's. */
export type CartSchema = {
  lines: CartLineSchema[];
  saved: CartLineSchema[];
  unavailable: number[];
  coupon: CouponSchema | null;
  refusals: RefusalSchema[];
  subtotal: number;
  discount: number;
  tax: number;
  total: number;
  version: number;
};

/** The code, and the fields of couponInfo in major units. */
export type CouponSchema = {
  code: string;
  discountPercentage: number;
  minimumAmount: number;
  discountProductType: string;
  discountAmount: number;
};

export type RefusalSchema = {
  step: 'list' | 'sale' | 'organisation' | 'code' | 'coupon' | 'tax';
  name: string;
  lineId: number | null;
  reason: string;
  message: string;
};

/** The link to a category's list. `nofollow`: the list is too short to be indexed. */
export type CategoryRef = {
  slug: string;
  name: string;
  href: string;
  nofollow?: boolean;
};

export type CategoryTile = {
  slug: string;
  name: string;
  href: string;
  nofollow?: boolean;
  description: string;
  count: number;
};

export type Challenge = {
  challengeId: string;
  expiresAt: string;
};

export type Change = {
  password: string;
  currentPassword: string;
};

/** Attributes that are left out do not change; null removes a value. */
export type Changes = {
  profile: {
    [k: string]: string | null;
  };
};

/** `labels` are days or months as ISO 8601 (2026-03-04, 2026-03), or the names of categories. */
export type ChartPoints = {
  kind: 'day' | 'month' | 'category';
  labels: string[];
};

/**
 * `unfinishedFrom`: index of the first point whose values will still change. `empty`: why there are no values.
 */
export type ChartProps = {
  kind: 'line' | 'bar' | 'stacked';
  title: string;
  summary: string;
  unit: 'money' | 'count' | 'percent';
  unitLabel: string;
  period: string;
  points: ChartPoints;
  series: ChartSeries[];
  unfinishedFrom?: number;
  empty: string;
  csvHref: string | null;
};

/**
 * A value per point, null where there is none. `isPrevious`: of the period that the chart compares with.
 */
export type ChartSeries = {
  label: string;
  values: (number | null)[];
  isPrevious?: boolean;
};

/**
 * `stack`: positions in our own scripts, the innermost first. `requestId`: of the page's request, "" if unknown.
 */
export type ClientError = {
  message: string;
  stack: string[];
  page: string;
  build: string;
  requestId: string;
};

export type ClientErrorLogged = {
  status: string;
};

export type Code = {
  code: string;
};

export type ColumnChoice = {
  key: string;
  label: string;
  selected: boolean;
};

/**
 * `direction` of the rows as they are, null while another column decides; `href` reverses it or sorts by this.
 */
export type ColumnSort = {
  direction: ('ascending' | 'descending') | null;
  href: string;
};

/** What somebody else saved meanwhile. `values`: by the names of the fields in the request. */
export type Conflict = {
  version: number;
  changedBy: string;
  changedAt: string;
  values: {
    [k: string]: unknown;
  };
};

/**
 * Filled when the form was sent without JavaScript; `errors` by field, those of the whole form under `form`.
 */
export type ContactForm = {
  values: ContactValues;
  errors: {
    [k: string]: string;
  };
  sent: boolean;
};

export type ContactValues = {
  name: string;
  email: string;
  subject: string;
  message: string;
};

/** `website` is a honeypot for spam: people do not see the field. */
export type ContactMessage = {
  name: string;
  email: string;
  subject: string;
  message: string;
  website?: string;
};

export type ContactProps = {
  title: string;
  html: string;
  crumbs: Crumb[];
  form: ContactForm;
};

/** `nofollow`: the linked list is too short to be indexed. */
export type Crumb = {
  name: string;
  href: string;
  nofollow?: boolean;
};

export type ContactSent = {
  status: string;
};

export type ContentProps = {
  title: string;
  html: string;
  crumbs: Crumb[];
  updatedAt: string;
  refundDays: number | null;
};

export type CountCell = {
  kind: 'count';
  value: number;
};

export type CouponCode = {
  coupon: string;
};

/**
 * The fields of couponInfo, in major units; 0 means none. discountProductType: all, course, item or a category's
 * slug.
 */
export type CouponDetail = {
  Status: 'success' | 'failed';
  Message: string;
  discountPercentage: number;
  minimumAmount: number;
  discountProductType: string;
  discountAmount: number;
};

export type CourseCoupon = {
  CourseID: number | string;
  Code: string;
  AAUserID: number | string;
};

export type CourseDeferred = {
  reviews: Reviews;
  related: Card[];
};

/** `counts[0]` is the number of one-star reviews, `counts[4]` of five-star ones. */
export type Reviews = {
  items: Review[];
  counts: number[];
};

export type Review = {
  id: number;
  author: string;
  rating: number;
  title: string;
  body: string;
  at: string;
};

/** `descriptionHtml` is sanitised. `retired` is set when the course is no longer sold. */
export type CourseProps = {
  id: number;
  slug: string;
  name: string;
  subtitle: string;
  descriptionHtml: string;
  isGenerated: boolean;
  outcomes: string[];
  prerequisites: string[];
  audience: string[];
  level: 'beginner' | 'intermediate' | 'advanced' | 'all';
  language: string | null;
  category: CategoryRef;
  instructors: Instructor[];
  provider: string;
  durationMin: number | null;
  lessonCount: number;
  credits: string | null;
  sections: Section[];
  preview: LessonPreview | null;
  listPrice: number;
  price: number;
  saleUntil: string | null;
  picture: Picture;
  rating: number | null;
  ratingCount: number;
  enrolled: number;
  updatedAt: string;
  faq: FaqEntry[];
  crumbs: Crumb[];
  retired: Retired | null;
};

export type Instructor = {
  slug: string;
  name: string;
  title: string;
  bio: string;
};

export type Section = {
  title: string;
  minutes: number;
  lessons: Lesson[];
};

export type Lesson = {
  title: string;
  minutes: number;
  preview: boolean;
};

export type LessonPreview = {
  title: string;
  text: string;
};

export type FaqEntry = {
  question: string;
  answer: string;
};

/** `successors`: courses that replace it. */
export type Retired = {
  successors: Card[];
};

/**
 * `roles` are those of the database now; `isRestricted`: the learner sees only what their contract names.
 */
export type CurrentLearner = {
  id: number;
  email: string;
  name: string;
  area: 'learner' | 'organisation' | 'admin';
  roles: string[];
  isRestricted: boolean;
  studentNumber: string;
};

/** A day, as ISO 8601. */
export type DateCell = {
  kind: 'date';
  day: string;
};

export type DeleteAccount = {
  confirm: string;
};

export type Email = {
  id: string;
  email: string;
  isPrimary: boolean;
  isVerified: boolean;
};

/** A code was sent to the address. */
export type EmailChallenge = {
  email: Email;
  challengeId: string;
};

export type Emails = {
  emails: Email[];
};

export type EmptyAction = {
  text: string;
  href: string;
};

/** An empty object: the call has no parameters. */
export type EmptyRequest = Record<string, never>;

/** Shown before there is any row: what will be here, and the first step. */
export type EmptyTable = {
  title: string;
  text: string;
  action: EmptyAction | null;
};

export type ErrorProps = {
  status: number;
  message: string;
  suggestions: Card[];
};

/** All stored data of the learner; docs/contracts.md lists its parts. */
export type Export = {
  [k: string]: unknown;
};

export type Facet = {
  name: string;
  label: string;
  options: FacetOption[];
};

export type FacetOption = {
  value: string;
  label: string;
  count: number;
  selected: boolean;
  href: string;
  nofollow: boolean;
};

/** `value` "" while it does not filter; `options` of a choice, without the one for any value. */
export type FilterField = {
  name: string;
  label: string;
  kind: 'choice' | 'search' | 'day';
  value: string;
  options: FilterOption[];
};

export type FilterOption = {
  value: string;
  label: string;
};

export type First = {
  password: string;
};

export type FlowMessage = {
  key: string;
  text: string;
  kind: 'error' | 'warning' | 'info';
  field: string | null;
};

/** The parts of the document's head that the browser updates on client navigation. */
export type HeadProps = {
  title: string;
  description: string;
  canonical: string | null;
  robots: string;
  type: string;
  image: string | null;
  jsonLd: {
    [k: string]: unknown;
  }[];
};

export type HomeProps = {
  featured: Card[];
  newest: Card[];
  categories: CategoryTile[];
  stats: HomeStats;
  testimonials: Testimonial[];
};

/** Numbers of the whole shop. */
export type HomeStats = {
  courses: number;
  learners: number;
  instructors: number;
  rating: number | null;
  ratingCount: number;
};

export type Testimonial = {
  review: Review;
  course: string;
  href: string;
};

/** A value in the URL that the table does not know, and what it was meant for. */
export type IgnoredValue = {
  label: string;
  value: string;
};

export type ImageCell = {
  kind: 'image';
  picture: Picture;
};

export type Input = {
  name: string;
  label: string;
  type: 'text' | 'password' | 'email' | 'tel' | 'code' | 'boolean' | 'choice' | 'hidden';
  required: boolean;
  value: string | boolean | null;
  minLength: number | null;
  maxLength: number | null;
  autocomplete: string | null;
  options: Option[] | null;
};

export type Option = {
  value: string;
  label: string;
  kind: ('password' | 'email' | 'phone' | 'app' | 'question' | 'verify' | 'webauthn') | null;
  inputs: Input[];
};

export type ItemDeferred = {
  related: Card[];
};

/** `descriptionHtml` is sanitised. `stock`: null is unlimited, 0 sold out. */
export type ItemProps = {
  id: number;
  slug: string;
  name: string;
  subtitle: string;
  descriptionHtml: string;
  itemKind: 'book' | 'voucher' | 'bundle' | 'physical';
  sku: string;
  category: CategoryRef;
  listPrice: number;
  price: number;
  saleUntil: string | null;
  pictures: Picture[];
  stock: number | null;
  delivery: string;
  crumbs: Crumb[];
};

/** `CourseID` is the id of a course or a shop item: both use one sequence of ids. */
export type LearnerCourse = {
  AAUserID: number | string;
  CourseID: number | string;
};

/** Fields that are left out do not change. */
export type LineChange = {
  quantity?: number | null;
  saved?: boolean | null;
};

export type Lines = {
  lines: RequestedLineSchema[];
};

export type LinkCell = {
  kind: 'link';
  text: string;
  href: string;
};

/**
 * A `returnTo` that is not a path of this site becomes /; `fingerprint` comes from the provider's frame.
 */
export type Login = {
  username: string;
  password: string;
  returnTo?: string;
  area?: 'learner' | 'organisation' | 'admin';
  fingerprint?: string;
};

export type MergedCart = {
  lines: MergedLine[];
  cart: CartSchema;
};

export type MergedLine = {
  id: number;
  outcome: 'added' | 'kept' | 'refused';
  message: string;
};

export type Method = {
  method?: 'SMS' | 'CALL';
};

/** Minor units of the shop's currency. */
export type MoneyCell = {
  kind: 'money';
  minor: number;
};

/** Of a list that only grows; `newest` is null on its first page, `older` on its last. */
export type OlderLinks = {
  newest: string | null;
  older: string | null;
};

export type OrganisationRef = {
  slug: string;
  name: string;
};

/** The outcome of a valid request; `message` is shown to the visitor, "" on success. */
export type OutcomeSchema = {
  status: 'success' | 'failed';
  message: string;
};

/** `browser`: its name, such as Firefox; "" when unknown. */
export type OwnSession = {
  id: string;
  isThis: boolean;
  area: 'learner' | 'organisation' | 'admin';
  browser: string;
  createdAt: string;
  expiresAt: string;
};

export type OwnSessions = {
  sessions: OwnSession[];
};

/** One page as data; `props` are those of its loader, deferred parts included (null: unavailable). */
export type PageData = {
  page: string;
  status: number;
  head: HeadProps;
  props: unknown;
  documentKind?: string;
  area?: AreaProps;
  session?: SessionInfo | null;
};

/** `now`: the server's time. `areas`: those that the learner may sign in to. `owned`: ids of products. */
export type SessionInfo = {
  learner: CurrentLearner;
  expiresAt: string;
  now: string;
  areas: ('learner' | 'organisation' | 'admin')[];
  organisations: OrganisationRef[];
  owned: number[];
};

/** `href` is null for the current page and for a gap; a gap has no `number` either. */
export type PageLink = {
  number: number | null;
  href: string | null;
};

/** `nofollow`: the list must not be indexed. */
export type PageLinks = {
  previous: string | null;
  next: string | null;
  entries: PageLink[];
  nofollow?: boolean;
};

/** The page has moved to another address. */
export type PageRedirect = {
  location: string;
};

export type Password = {
  status: 'NOT_ENROLLED' | 'ACTIVE';
  lastUpdated: string | null;
};

export type PhoneNumber = {
  number: string;
  method?: 'SMS' | 'CALL';
};

export type Phones = {
  phones: Phone[];
};

export type Poll = {
  everyMs: number;
};

/** Prices of one unit, in major units; -1 means none. */
export type PricedLine = {
  Status: 'success' | 'failed';
  Message: string;
  DiscountPrice: number;
  orderDiscount: number;
  orderDiscountCode: string;
};

export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  errors?: {
    [k: string]: string;
  };
  conflict?: Conflict;
};

export type ProceedFlow = {
  step: string;
  values: {
    [k: string]: string | boolean;
  };
};

export type ProductReference = {
  id: number | string;
};

/** Texts by attribute; null: not set. Only text attributes are included. */
export type Profile = {
  profile: {
    [k: string]: string | null;
  };
  attributes: Attribute[];
};

/**
 * `title`: the heading until the browser shows the page, as on every client-rendered page. `account`: of a provider
 * whose accounts cannot be changed here; null: the page asks the provider's MyAccount API.
 */
export type ProfileProps = {
  title: string;
  account: ProviderAccountProps | null;
  sessions: SignInProps[];
};

/**
 * What the provider said of the person at sign-in; "" for what it did not say. `url`: its page for changes.
 */
export type ProviderAccountProps = {
  name: string;
  email: string;
  url: string | null;
};

/** An active sign-in. `browser`: its name, such as Firefox; "" when unknown. */
export type SignInProps = {
  id: string;
  isThis: boolean;
  area: 'learner' | 'organisation' | 'admin';
  browser: string;
  createdAt: string;
  expiresAt: string;
};

/** Whole percent, 0 to 100. */
export type ProgressCell = {
  kind: 'progress';
  percent: number;
};

/** The address that the browser loads next. */
export type RedirectTo = {
  redirect: string;
};

export type SearchLink = {
  text: string;
  href: string;
};

/** /search: the shop's list of the results of a query. */
export type SearchProps = {
  facets: Facet[];
  active: ActiveFilter[];
  clearHref: string;
  sort: SortOption[];
  total: number;
  page: number;
  pages: number;
  cards: Card[];
  pagination: PageLinks;
  query: string;
  answer: ('exact' | 'corrected' | 'partial' | 'none') | 'empty';
  isTruncated: boolean;
  normalisedQuery: string;
  unknown: string[];
  exactHref: string | null;
  didYouMean: SearchLink | null;
  popular: SearchLink[];
  courses: Card[];
};

export type SortOption = {
  value: string;
  label: string;
  selected: boolean;
  href: string;
};

export type SeenPrice = {
  id: number | string;
  price: number;
};

export type SeenPrices = {
  lines: SeenPrice[];
};

export type ShopProps = {
  facets: Facet[];
  active: ActiveFilter[];
  clearHref: string;
  sort: SortOption[];
  total: number;
  page: number;
  pages: number;
  cards: Card[];
  pagination: PageLinks;
  heading: string;
  intro: string;
};

/** The same for every visitor and every page. `api`: base address of the calls (setting API_BASE). */
export type SiteProps = {
  name: string;
  tagline: string;
  origin: string;
  currency: string;
  locale: string;
  logo: string;
  email: string;
  year: number;
  build: string;
  api: string;
  categories: CategoryRef[];
};

export type SortChoice = {
  value: string;
  label: string;
  selected: boolean;
};

/** `Message` is for people, "" on success. */
export type SpecOutcome = {
  Status: 'success' | 'failed';
  Message: string;
};

export type SpecialCoupon = {
  Status: 'success' | 'failed';
  CouponID: number;
  Coupon: string;
};

/** `token` of a mail link: recovery, unlocking or activation. `username` only prefills the field. */
export type StartFlow = {
  flow: 'authenticate' | 'register' | 'recoverPassword' | 'unlockAccount';
  returnTo?: string;
  area?: 'learner' | 'organisation' | 'admin';
  username?: string;
  token?: string;
};

/** `label`: the name of the other identity provider of a redirect-idp step. */
export type Step = {
  name: string;
  inputs: Input[];
  authenticator: Authenticator | null;
  poll: Poll | null;
  href: string | null;
  label: string | null;
};

export type StudentNumber = {
  Stunum: string;
};

/** `kind` query leads to a search, the other kinds to a page of the catalogue. */
export type Suggestion = {
  text: string;
  href: string;
  kind: 'query' | 'category' | 'course' | 'item';
};

export type Suggestions = {
  suggestions: Suggestion[];
};

export type TableColumn = {
  key: string;
  label: string;
  kind: 'text' | 'link' | 'money' | 'count' | 'date' | 'time' | 'badge' | 'progress' | 'image';
  sort: ColumnSort | null;
};

/** `path` is where the form with filters and columns leads. One of `pagination` and `older` is null. */
export type TableProps = {
  caption: string;
  path: string;
  columns: TableColumn[];
  columnChoices: ColumnChoice[];
  sorts: SortChoice[];
  rows: TableRow[];
  filters: FilterField[];
  activeFilters: ActiveFilter[];
  clearHref: string;
  ignored: IgnoredValue[];
  total: TableTotal;
  pagination: PageLinks | null;
  older: OlderLinks | null;
  csvHref: string | null;
  bulkActions: BulkAction[];
  emptyState: EmptyTable;
};

/** `cells` in the order of the columns; null: the row has no value. */
export type TableRow = {
  id: string;
  cells: (
    | TextCell
    | LinkCell
    | MoneyCell
    | CountCell
    | DateCell
    | TimeCell
    | BadgeCell
    | ProgressCell
    | ImageCell
    | null
  )[];
};

export type TextCell = {
  kind: 'text';
  text: string;
};

/** A moment in UTC, as ISO 8601. */
export type TimeCell = {
  kind: 'time';
  at: string;
};

/** `isMore`: there are more than `count` rows, which were not counted. */
export type TableTotal = {
  count: number;
  isMore: boolean;
};

/** The specification's payload. Unknown keys are ignored; a `Url` that is too long is truncated. */
export type TraceLog = {
  LoginEmail?: string | number | null;
  AAUserID?: number | string | null;
  CouponID?: string | number | null;
  SessionID?: string | number | null;
  Stunum?: string | number | null;
  SpecialCouponID?: string | number | null;
  Url: string;
  /** a visit sent again with the same EventID is counted once */
  EventID?: string | null;
  /** of the first visit after a load: the page of another site that led here */
  Referrer?: string | number | null;
};

export type Transaction = {
  status: 'PENDING' | 'SUCCESS' | 'TERMINAL' | 'CANCELED';
  flow: 'authenticate' | 'register' | 'recoverPassword' | 'unlockAccount';
  area: 'learner' | 'organisation' | 'admin';
  returnTo: string;
  username: string | null;
  steps: Step[];
  messages: FlowMessage[];
  canCancel: boolean;
  canResend: boolean;
  redirect: string | null;
  stepUp: boolean;
  retryAfterMs: number | null;
  expiresAt: string;
};

/** First name and initial; "" for an unknown number. */
export type Username = {
  Status: 'success';
  Username: string;
};

export type VisitAccepted = {
  Status: string;
  EventID: string;
};

/** `title` is the heading until the browser has rendered the page; only the plain page uses `html`. */
export type WaitingProps = {
  title: string;
  html: string;
};

export type Wishlist = {
  items: WishlistItemSchema[];
};

/** Prices of one unit; `price` below `seenPrice` is a price drop. */
export type WishlistItemSchema = {
  id: number;
  kind: 'course' | 'item';
  name: string;
  href: string;
  picture: Picture;
  category: CategoryName;
  itemKind: ('book' | 'voucher' | 'bundle' | 'physical') | null;
  listPrice: number;
  price: number;
  seenPrice: number | null;
  isAvailable: boolean;
  isOwned: boolean;
};

export type WishlistEntries = {
  items: WishlistEntrySchema[];
};

export type WishlistEntrySchema = {
  id: number | string;
  seenPrice?: number | null;
};

export type WishlistMembership = {
  wished: boolean;
};
