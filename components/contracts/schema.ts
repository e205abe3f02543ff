// Written by scripts/schema from the calls and page props of host/. Change them there, then run it again.

/** What became of an order. */
export type CheckoutResult = CheckoutPlaced | CheckoutChanged | CheckoutFailed;

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

/**
 * A course that the learner had. `reason`: why access ended, in words. `readableUntil`: the last day of notes and
 * results; after it, there are none. `back`: how to get it again, or the money back for one that was closed; else
 * null. `certificates`: of this course.
 */
export type AccessOverView = {
  view?: 'access-over';
  course: LearningCourse;
  reason: string;
  endedAt: string;
  readableUntil: string;
  isReadable: boolean;
  back: LearningLink | null;
  scores: QuizScore[];
  notes: NoteInList[];
  certificates: CertificateList;
};

/**
 * `rule`: the completion rule in words. `ruleChangedAt`: it changed since the learner began.
 * `resume`: where the learner goes on; null when the course has no lessons. `withdrawn`: lessons no longer in the
 * outline that the learner has begun. `source`: where access comes from, in words. `completionReason`: of staff who
 * completed it by hand; else null.
 */
export type LearningCourse = {
  id: number;
  slug: string;
  name: string;
  href: string;
  learnHref: string;
  picture: Picture;
  state: 'new' | 'underway' | 'completed' | 'ended';
  source: string;
  accessUntil: string | null;
  enrolledAt: string;
  completedAt: string | null;
  completionReason: string | null;
  rule: string;
  ruleChangedAt: string | null;
  hasCertificate: boolean;
  status: CourseStatus;
  minutesLeft: number;
  resume: LessonLink | null;
  isRetired: boolean;
  successor: LearningLink | null;
  sections: OutlineSection[];
  withdrawn: OutlineLesson[];
};

export type Picture = {
  src: string;
  width: number;
  height: number;
  alt: string;
};

/**
 * `done` of `needed` required lessons; `percent`: 0-100, 100 only when nothing is missing. `missing`: ids of the
 * lessons still to be done, in the order of the outline.
 */
export type CourseStatus = {
  done: number;
  needed: number;
  percent: number;
  isComplete: boolean;
  missing: number[];
};

export type LessonLink = {
  id: number;
  title: string;
  kind: 'text' | 'video' | 'quiz' | 'file';
  minutes: number;
  href: string;
};

export type LearningLink = {
  name: string;
  href: string;
};

export type OutlineSection = {
  title: string;
  lessons: OutlineLesson[];
};

/**
 * Its address is the course's `learnHref` with `&lesson=` and the id. `isNew`: added since the learner completed
 * the course. `changedAt`: changed since it was done. What is not said is false: an outline may have hundreds.
 */
export type OutlineLesson = {
  id: number;
  title: string;
  kind: 'text' | 'video' | 'quiz' | 'file';
  minutes: number;
  isDone: boolean;
  isOptional?: boolean;
  isNew?: boolean;
  changedAt?: string;
};

/** The best of `attempts` at a quiz, in percent, rounded down. */
export type QuizScore = {
  lesson: number;
  title: string;
  percent: number;
  isPassed: boolean;
  attempts: number;
};

export type NoteInList = {
  lesson: number;
  body: string;
  version: number;
  updatedAt: string | null;
  course: LearningLink;
  link: LearningLink;
};

export type CertificateList = {
  issued: CertificateCard[];
  unnamed: UnnamedCertificate[];
};

/**
 * `reason`: why it was revoked, in a sentence. `verifyHref`: its public page, on this site. `pdfHref`, `badgeHref`
 * and `linkedInHref` are null for a revoked one. `isNamePrintable` false: the PDF has the student number instead.
 * `renewableFrom`: from then on passing all quizzes again gives the next one; null where it does not.
 */
export type CertificateCard = {
  code: string;
  courseId: number;
  courseName: string;
  courseHref: string;
  holder: string;
  state: 'valid' | 'expired' | 'revoked';
  reason: string;
  completedAt: string;
  expiresAt: string | null;
  renewableFrom: string | null;
  verifyHref: string;
  pdfHref: string | null;
  badgeHref: string | null;
  linkedInHref: string | null;
  canCorrectName: boolean;
  isNamePrintable: boolean;
};

/** A completed course whose certificate waits for the learner's name. */
export type UnnamedCertificate = {
  courseId: number;
  courseName: string;
  courseHref: string;
};

/**
 * A form: `call` is the path of the call below /api, whose answer says in words what was done. `question`: asked
 * before it, null: nothing. `leadsTo`: the page after it, null: this one, loaded again.
 *
 * `version`: of what is changed, which the call gets too. `isEditor`: its fields hold what is stored, and still do
 * after it. `isIdempotent`: the call gets a key, so that it acts once.
 */
export type Action = {
  id: string;
  title: string;
  text: string;
  call: string;
  button: string;
  isDangerous: boolean;
  question: string | null;
  fields: ActionField[];
  leadsTo: string | null;
  method?: 'POST' | 'PUT';
  version?: number;
  preview?: PreviewCall;
  isEditor?: boolean;
  isIdempotent?: boolean;
};

/**
 * `kind`: one line, several lines, Markdown, one of `options`, several of them, a box for yes, a box that sends its
 * `value`, a number, a percentage, minor units of the shop's currency, an instant in UTC, a day, one or several things
 * that `source` finds, products with a line each, a `value` that is not shown, or one that is shown and not sent.
 *
 * `hint` may be "". `value`: at first, "" for none; `values`: of several options. `href`: of a page to read before, ""
 * for none. `isNullable`: without a number the call gets null, else 0. `group`: the heading of this field and of its
 * neighbours with the same one.
 */
export type ActionField = {
  name: string;
  label: string;
  kind:
    | 'line'
    | 'text'
    | 'markdown'
    | 'choice'
    | 'choices'
    | 'yes'
    | 'checked'
    | 'number'
    | 'percent'
    | 'money'
    | 'time'
    | 'day'
    | 'pick'
    | 'picks'
    | 'products'
    | 'fixed'
    | 'fact';
  hint: string;
  isRequired: boolean;
  maxLength: number;
  value: string;
  options: ActionOption[];
  href: string;
  values?: string[];
  picked?: Picked[];
  source?: string;
  rows?: number;
  minimum?: number;
  maximum?: number;
  isNullable?: boolean;
  group?: string;
  shownIf?: ShownIf;
};

export type ActionOption = {
  value: string;
  label: string;
};

/** What is picked already: `value` as the call takes it, and its name. */
export type Picked = {
  value: string;
  text: string;
};

/** The field is shown while the field `name` has one of `values`; "yes" of a box that is checked. */
export type ShownIf = {
  name: string;
  values: string[];
};

export type PreviewCall = {
  call: string;
  when: 'typed' | 'confirmed';
};

/** `actions` holds what this person may do now. */
export type ActionPageProps = {
  title: string;
  heading: string;
  backHref: string;
  backText: string;
  facts: Fact[];
  groups?: FactGroup[];
  tables: ShortTable[];
  texts: TextPart[];
  actions: Action[];
};

/** `cell` null: there is no value. */
export type Fact = {
  label: string;
  cell:
    | TextCell
    | LinkCell
    | MoneyCell
    | CountCell
    | DateCell
    | TimeCell
    | BadgeCell
    | ProgressCell
    | ImageCell
    | StripCell
    | null;
};

/** `shade`: how dark its ground is, 0 to 5. */
export type TextCell = {
  kind: 'text';
  text: string;
  shade?: number;
};

export type LinkCell = {
  kind: 'link';
  text: string;
  href: string;
};

/** Minor units of the shop's currency. */
export type MoneyCell = {
  kind: 'money';
  minor: number;
};

/** At most three decimals are shown. */
export type CountCell = {
  kind: 'count';
  value: number;
};

/** A day, as ISO 8601. */
export type DateCell = {
  kind: 'date';
  day: string;
};

/** A moment in UTC, as ISO 8601 in JSON, which writes it in a tenth of the time that Python needs. */
export type TimeCell = {
  kind: 'time';
  at: string;
};

export type BadgeCell = {
  kind: 'badge';
  text: string;
  tone: 'neutral' | 'info' | 'good' | 'warning' | 'bad';
};

/** Whole percent, 0 to 100. */
export type ProgressCell = {
  kind: 'progress';
  percent: number;
};

export type ImageCell = {
  kind: 'image';
  picture: Picture;
};

/** What happened one after the other, drawn along a line; `text` says it in words. */
export type StripCell = {
  kind: 'strip';
  parts: StripPart[];
  text: string;
};

/** `path`: as SVG draws it, within 110 by 14; `what` is its class. */
export type StripPart = {
  what: string;
  path: string;
};

/** Facts under a title of their own, such as who bought. `place`: "main" of what the page is about. */
export type FactGroup = {
  id: string;
  title: string;
  facts: Fact[];
  place: 'main' | 'side';
};

/** All rows of a list that is never long. `empty`: why there are none. */
export type ShortTable = {
  id: string;
  title: string;
  columns: ShortColumn[];
  rows: (
    | TextCell
    | LinkCell
    | MoneyCell
    | CountCell
    | DateCell
    | TimeCell
    | BadgeCell
    | ProgressCell
    | ImageCell
    | StripCell
    | null
  )[][];
  empty: string;
  place: 'main' | 'folded' | 'side';
};

export type ShortColumn = {
  key: string;
  label: string;
  kind: 'text' | 'link' | 'money' | 'count' | 'date' | 'time' | 'badge' | 'progress' | 'image' | 'strip';
};

/** A text with its own lines, such as a mail. */
export type TextPart = {
  id: string;
  title: string;
  text: string;
};

/**
 * What an action would do, in words. `lacks`: what keeps the thing from being complete. `html`: by the name of a
 * field of Markdown, what becomes of it. `mails`: what becomes of the words of a mail. `button`: instead of the
 * declared one, such as one with an amount.
 * `confirmed`: what the confirmed call gets beside its fields, so that it does what was shown or nothing.
 */
export type ActionPreview = {
  effects: string[];
  lacks: string[];
  html: {
    [k: string]: string;
  };
  mails: MailPreview[];
  button: string | null;
  confirmed: {
    [k: string]: unknown;
  };
};

/** A mail as it would arrive. `case`: with which values. `html`: what its HTML form shows, in `style`. */
export type MailPreview = {
  case: string;
  subject: string;
  text: string;
  html: string;
  style: string;
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

/**
 * `options`: the only values, if there are any. `lines`: more than one for a text of several lines. `example`: ""
 * for none; postal codes are taken in any usual writing of them.
 */
export type AddressFieldSchema = {
  name: string;
  label: string;
  required: boolean;
  options: OptionSchema[];
  autocomplete: string;
  lines: number;
  example: string;
};

export type OptionSchema = {
  value: string;
  label: string;
};

/** In the order of the country, after the country itself. */
export type AddressForm = {
  fields: AddressFieldSchema[];
};

/**
 * `firstSteps` is empty once something was for sale. `charts` is empty for those who may not read reports.
 */
export type AdminHomeProps = {
  title: string;
  name: string;
  firstSteps: StepProps[];
  waiting: WaitingWork[];
  charts: ChartProps[];
};

export type StepProps = {
  text: string;
  href: string;
  isDone: boolean;
};

/** `href` null: the page that deals with it is not built yet. */
export type WaitingWork = {
  count: number;
  isMore: boolean;
  text: string;
  href: string | null;
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
 * `labels` are days, months or times in UTC as ISO 8601 (2026-03-04, 2026-03, 2026-03-04T13:30), or the names of
 * categories.
 */
export type ChartPoints = {
  kind: 'day' | 'month' | 'time' | 'category';
  labels: string[];
};

/**
 * A value per point, null where there is none. `isPrevious`: of the period that the chart compares with.
 */
export type ChartSeries = {
  label: string;
  values: (number | null)[];
  isPrevious?: boolean;
};

/** `exportCall`: the call below /api that gives all stored data; null for an account that was deleted. */
export type AdminLearnerProps = {
  title: string;
  heading: string;
  backHref: string;
  backText: string;
  facts: Fact[];
  groups?: FactGroup[];
  tables: ShortTable[];
  texts: TextPart[];
  actions: Action[];
  exportCall: string | null;
  exportName: string;
};

/**
 * `decisions`: what waits: requests for refunds, refunds that failed, goods to send. `refund`: of the units that
 * are left, and `refundAll`: of all of them; null without any, and for those who may not refund. `others`: what can be
 * done besides.
 */
export type AdminOrderProps = {
  title: string;
  heading: string;
  backHref: string;
  backText: string;
  facts: Fact[];
  groups?: FactGroup[];
  tables: ShortTable[];
  decisions: Action[];
  refundAll: Action | null;
  refund: Action | null;
  others: Action[];
};

/**
 * `isDecided`: its application does not wait for a decision. `contractHref`: where a contract with it is made,
 * null for those who may not, and before its approval.
 */
export type AdminOrganisationProps = {
  title: string;
  heading: string;
  backHref: string;
  backText: string;
  facts: Fact[];
  groups?: FactGroup[];
  tables: ShortTable[];
  texts: TextPart[];
  actions: Action[];
  tabs: OrganisationTab[];
  isDecided: boolean;
  contractHref: string | null;
};

export type OrganisationTab = {
  href: string;
  text: string;
  isCurrent: boolean;
};

/** `units`: by the numbers of the lines; the rest as of AdminRefundAll. */
export type AdminRefund = {
  units: {
    [k: string]: number;
  };
  keepsAccess?: boolean;
  restocks?: boolean;
  reason: string;
  amountMinor?: number | null;
};

/**
 * `keepsAccess`: courses, codes and gifts stay valid. `restocks`: what goes back is for sale again. `amountMinor`:
 * that of the preview; another one refunds nothing.
 */
export type AdminRefundAll = {
  keepsAccess?: boolean;
  restocks?: boolean;
  reason: string;
  amountMinor?: number | null;
};

/** `number`: of the refund in its order. */
export type AdminRefundOutcome = {
  text: string;
  href: string | null;
  number: number;
  state: string;
  amountMinor: number;
};

/** `note`: what can be found, or why nothing was, else "". */
export type AdminSearchProps = {
  title: string;
  q: string;
  groups: SearchGroup[];
  note: string;
};

/** What was found of one kind. `more`: to the list that has the rest, null when these are all. */
export type SearchGroup = {
  table: ShortTable;
  more: ListLink | null;
};

export type ListLink = {
  text: string;
  href: string;
};

export type AlarmReason = {
  reason: string;
};

export type ApplicationAnswer = {
  text: string;
};

/** `domains`: of email addresses of the organisation, as many as there are. */
export type ApplicationForm = {
  name: string;
  slug: string;
  website: string;
  size: number;
  domains: string[];
  request: string;
  acceptsTerms: boolean;
};

/** What the form of an application begins with. */
export type ApplicationValues = {
  name: string;
  slug: string;
  website: string;
  size: number;
  domains: string;
  request: string;
};

/** `domains`: whether the email domains that were asked for are approved as well. */
export type Approval = {
  domains?: 'approve' | 'leave';
};

/**
 * `amountMinor`: that of the page; another one refunds nothing. `access`: of what goes back as a whole. `goods`:
 * whether what goes back, such as codes that were never used, is for sale again. `rules`: whether it is approved
 * against what they say by now.
 */
export type ApproveRefund = {
  amountMinor: string;
  access?: 'ends' | 'stays';
  goods?: 'gone' | 'back';
  rules?: 'hold' | 'overruled';
  reason?: string;
};

/**
 * `units` and `amounts` by the numbers of the lines: units that go back, or minor units of the price of those that
 * stay the buyer's. `amountMinor`: that of the preview; another one refunds nothing. The rest as of ApproveRefund.
 */
export type ApproveRefundPart = {
  units: {
    [k: string]: number;
  };
  amounts: {
    [k: string]: number | null;
  };
  access?: 'ends' | 'stays';
  goods?: 'gone' | 'back';
  rules?: 'hold' | 'overruled';
  words: string;
  amountMinor?: number | null;
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
 * without a session. `timeZone`: the shop's, in which people may have times written instead of UTC.
 */
export type AreaProps = {
  id: string;
  title: string;
  layout: string;
  home: string;
  signIn: string | null;
  nav: NavGroup[];
  timeZone: string;
};

export type NavGroup = {
  title: string;
  links: NavLink[];
};

/**
 * `below`: the address of the link before it that holds this one: it is shown while one of both is current.
 * `also`: another address, which belongs to the link with the pages below it.
 */
export type NavLink = {
  href: string;
  label: string;
  below: string | null;
  also?: string;
};

/**
 * The quiz with this attempt as its result. `isDone`: the lesson counts as done. `completedAt`: of the course.
 */
export type AttemptAnswer = {
  quiz: Quiz;
  isDone: boolean;
  completedAt: string | null;
};

/**
 * `number`: of the attempt to come. `revision`: to be sent with it. `passMark` in percent. `attemptsLeft` null: no
 * limit. `nextAttemptAt`: before it no attempt is taken. `isPassed`: by the rule as it is now.
 */
export type Quiz = {
  lesson: number;
  revision: number;
  number: number;
  questions: QuizQuestion[];
  passMark: number;
  attemptsLeft: number | null;
  waitMinutes: number;
  nextAttemptAt: string | null;
  isPassed: boolean;
  bestScore: number | null;
  result: QuizResult | null;
};

/** `options` in the order of the attempt to come; none for a number, which may have a `unit`. */
export type QuizQuestion = {
  id: string;
  kind: 'one' | 'several' | 'number';
  html: string;
  options: QuizOption[];
  unit: string;
};

export type QuizOption = {
  id: string;
  html: string;
};

/** The last attempt. `questions`: none when they have changed since. */
export type QuizResult = {
  number: number;
  score: number;
  isPassed: boolean;
  attemptedAt: string;
  questions: QuestionResult[];
};

/**
 * `answer` and `right`: ids of options, or a number as text. `right` and `explanation` null: they come with a
 * passed quiz, or when no attempt is left. `order`: ids of the options as they were asked.
 */
export type QuestionResult = {
  id: string;
  mark: number;
  order: string[];
  answer: string[] | string;
  right: string[] | string | null;
  explanation: string | null;
};

/**
 * `eventId`: a UUID of this attempt; sent again, it gets the same answer. `revision`: of the questions. `answers`:
 * id of a question -> ids of options, or a number as it was typed. There is no field for a score.
 */
export type AttemptSchema = {
  eventId: string;
  revision: number;
  answers: {
    [k: string]: string[] | string;
  };
};

export type Attribute = {
  name: string;
  title: string;
  required: boolean;
  isReadOnly: boolean;
  minLength: number | null;
  maxLength: number | null;
};

/** The list, and what is known of the chain. */
export type AuditPageProps = {
  title: string;
  table: TableProps;
  links?: EmptyAction[];
  chain: ChainState;
};

/** One of `pagination` and `older` is null. */
export type TableProps = {
  caption: string;
  path: string;
  columns: TableColumn[];
  columnChoices: ColumnChoice[];
  sorts: SortChoice[];
  filters: FilterField[];
  activeFilters: ActiveFilter[];
  clearHref: string;
  csvHref: string | null;
  csvAllHref: string | null;
  csvNeedsSignIn: boolean;
  bulkActions: BulkAction[];
  emptyState: EmptyTable;
  rows: TableRow[];
  ignored: IgnoredValue[];
  total: TableTotal;
  pagination: PageLinks | null;
  older: OlderLinks | null;
};

export type TableColumn = {
  key: string;
  label: string;
  kind: 'text' | 'link' | 'money' | 'count' | 'date' | 'time' | 'badge' | 'progress' | 'image' | 'strip';
  sort: ColumnSort | null;
};

/**
 * `direction` of the rows as they are, null while another column decides; `href` reverses it or sorts by this.
 */
export type ColumnSort = {
  direction: ('ascending' | 'descending') | null;
  href: string;
};

export type ColumnChoice = {
  key: string;
  label: string;
  selected: boolean;
};

export type SortChoice = {
  value: string;
  label: string;
  selected: boolean;
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

/** An action on the selected rows. The page carries it out; a dangerous one asks first. */
export type BulkAction = {
  id: string;
  label: string;
  isDangerous: boolean;
};

/** Shown before there is any row: what will be here, and the first step. */
export type EmptyTable = {
  title: string;
  text: string;
  action: EmptyAction | null;
};

export type EmptyAction = {
  text: string;
  href: string;
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
    | StripCell
    | null
  )[];
};

/** A value in the URL that the table does not know, and what it was meant for. */
export type IgnoredValue = {
  label: string;
  value: string;
};

/** `isMore`: there are more than `count` rows, which were not counted. */
export type TableTotal = {
  count: number;
  isMore: boolean;
};

/** `nofollow`: the list must not be indexed. */
export type PageLinks = {
  previous: string | null;
  next: string | null;
  entries: PageLink[];
  nofollow?: boolean;
};

/** `href` is null for the current page and for a gap; a gap has no `number` either. */
export type PageLink = {
  number: number | null;
  href: string | null;
};

/** The links of a list that only grows; `newest` is null on its first page, `older` on its last. */
export type OlderLinks = {
  newest: string | null;
  older: string | null;
};

/**
 * `last`: the number of the newest event. `checked` null: nobody has checked the chain yet. `wrong`: the first
 * event that was not as it was recorded, when it was last checked.
 */
export type ChainState = {
  last: number;
  checked: number | null;
  checkedAt: string | null;
  wrong: number | null;
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

/** `job`: the one of the address; null without one. */
export type BankStatementProps = {
  title: string;
  maxBytes: number;
  job: StatementStatus | null;
};

/**
 * `processed` of `total` entries; null before they are known. `counts`: of entries by what they do, `sums`: of what
 * pays orders, in words. `canBook`: a check that is done has found something new.
 */
export type StatementStatus = {
  id: number;
  name: string;
  uploadId: number;
  isCheck: boolean;
  state: 'queued' | 'running' | 'done' | 'failed' | 'stopped';
  processed: number;
  total: number | null;
  rate: number | null;
  counts: StatementCount[];
  sums: string[];
  skipped: number;
  canBook: boolean;
  error: string | null;
};

export type StatementCount = {
  label: string;
  count: number;
};

/**
 * Letters, digits and hyphens; the first is no hyphen, so that no spreadsheet takes a code for a formula.
 */
export type BatchCodes = {
  codes: string[];
};

/** The names are those of the checkout, which puts "billing." before them. */
export type BillingAddress = {
  company_name?: string;
  name?: string;
  street_address?: string;
  postal_code?: string;
  city?: string;
  country_area?: string;
  country?: string;
  vat_id?: string;
  purchase_order?: string;
};

/** `category`: the short name of the new one. */
export type BulkCategory = {
  category: string;
};

/** `isRunning`: more rows are being changed. `table`: the rows, each with its result. */
export type BulkChangeProps = {
  title: string;
  heading: string;
  backHref: string;
  backText: string;
  facts: Fact[];
  groups?: FactGroup[];
  tables: ShortTable[];
  texts: TextPart[];
  actions: Action[];
  isRunning: boolean;
  table: TableProps;
};

/**
 * One of both is null. `ids`: the chosen rows; `filters`: of the list, name -> value: everything they leave.
 * `purpose`: what may be done with them.
 */
export type BulkChoice = {
  kind: 'course' | 'item';
  purpose?: 'catalogue' | 'prices';
  ids?: (number | string)[] | null;
  filters?: {
    [k: string]: string;
  } | null;
};

export type BulkChosen = {
  id: number;
};

/**
 * `amount` in minor units, of a set price; `percent`: of the list price. `rounding`: of what comes of it.
 */
export type BulkPrices = {
  change: 'set' | 'raise' | 'lower' | 'sale' | 'sale_percent' | 'end_sale';
  amount?: number | null;
  percent?: string;
  rounding?: 'exact' | 'whole' | 'nines';
  startsAt?: string | null;
  endsAt?: string | null;
  reason?: string;
};

export type BulkRetirement = {
  reason: string;
};

/**
 * `picksCourse`: seats of any course are sold; the picked one is in the address, as `course` of
 * `path`. `beside`: a link to what else can be done, null: none.
 */
export type BuySeatsProps = {
  title: string;
  heading: string;
  backHref: string;
  backText: string;
  facts: Fact[];
  groups?: FactGroup[];
  tables: ShortTable[];
  texts: TextPart[];
  actions: Action[];
  picksCourse: boolean;
  path: string;
  beside: EmptyAction | null;
};

/**
 * `link`: null until a page is chosen and every field fits. `countedAs`: what reports will say of its sessions.
 */
export type CampaignLinkProps = {
  title: string;
  path: string;
  fields: LinkField[];
  link: string | null;
  countedAs: CountedAs[];
};

/** `error`: why the value cannot be used, else "". */
export type LinkField = {
  name: string;
  label: string;
  hint: string;
  value: string;
  error: string;
};

export type CountedAs = {
  label: string;
  text: string;
};

export type CancelOrder = {
  reason: string;
};

/** `text`: WebVTT. */
export type CaptionFields = {
  language: string;
  text: string;
};

/**
 * One course or shop item in a list. `price` is the price now, `listPrice` the one without a sale. `language`: its
 * name, where it is not the shop's own language.
 */
export type Card = {
  lowestBefore?: number;
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

/** `lines` are a guest's cart; a learner's cart is stored here. */
export type CartCoupon = {
  code: string;
  lines?: RequestedLineSchema[];
};

export type RequestedLineSchema = {
  id: number | string;
  quantity: number;
};

/**
 * `codeAmount`: what the code takes off the line once; null: off each unit, or nothing. `lowestBefore`: as in
 * `lowest_before`. `isGift`: for somebody else, whom the checkout asks for. `promise`: until when a cart link keeps
 * list and sale price so, a sentence; "": they are today's.
 */
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
  codeAmount: number | null;
  seenPrice: number | null;
  lowestBefore: number | null;
  isGift: boolean;
  promise: string;
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

/**
 * `url` shows the lines to everyone who opens it, until `expiresAt`. Of a link that a program made: `lines` with
 * the prices that hold until `promisedUntil`, their `total` before tax and delivery as `note` says, in minor units of
 * `currency`. A link from a page of the shop promises none: `lines` is empty, `promisedUntil` and `total` are
 * null.
 */
export type CartLink = {
  url: string;
  expiresAt: string;
  promisedUntil: string | null;
  currency: string;
  lines: PromisedPrice[];
  total: number | null;
  note: string;
};

/**
 * A line of a link that a program made, in minor units. `reason`: whether `price`, of one unit, is the list price
 * or that of a sale, which ends at `saleUntil` (null: with no end that is known).
 */
export type PromisedPrice = {
  id: number;
  name: string;
  url: string;
  quantity: number;
  listPrice: number;
  salePrice: number | null;
  saleUntil: string | null;
  reason: 'list' | 'sale';
  price: number;
  total: number;
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

/**
 * `cart`: of the learner who is signed in; null for guests, whose cart is in the browser, and while the database
 * does not answer in time. `offered` null: nothing was brought along.
 */
export type CartProps = {
  title: string;
  html: string;
  cart: CartSchema | null;
  offered: OfferedLines | null;
};

/**
 * Products that the visitor may put in the cart with one press: opening the page changes nothing. `lines` empty:
 * they are not sold, or the link has expired. `coupon`: the code that a link carries; None for none. `isGift`: for
 * somebody else, which needs an account. Of a link: its `token`, what has changed since it was made, in words, and
 * until when it keeps these prices for whoever signs in (`promise`, a sentence); "": it keeps none.
 */
export type OfferedLines = {
  lines: CartLineSchema[];
  coupon: string | null;
  isGift: boolean;
  token: string;
  changes: string[];
  promise: string;
};

/** `imageId` null: no picture any more. `alt`: what it shows. */
export type CatalogueEntryImage = {
  imageId: number | string | null;
  alt?: string;
};

/** `version`: made of the contents, to send with the next change. */
export type CatalogueEntrySaved = {
  text: string;
  href: string | null;
  id: number;
  version: number;
};

/** `position`: its place among the categories. */
export type CategoryChange = {
  version: number;
  name: string;
  description: string;
  position: number;
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
  picture: Picture | null;
};

/** The form. `message`: what was wrong with the last code. */
export type CertificateCheckProps = {
  title: string;
  code: string;
  message: string;
};

export type CertificateFact = {
  name: string;
  value: string;
};

/** `name`: as it shall stand on the certificate. */
export type CertificateName = {
  name: string;
};

/**
 * `reason`: why it is not valid, in a sentence; "" for a valid one. `holder` "": removed with the account.
 * `courseHref`: its page in the shop. `address`: of this page, with the site. `signedHref`: the credential; null for a
 * revoked certificate. `keyNotice`: that files which were downloaded before may be others' work; "" for none.
 */
export type CertificateProps = {
  title: string;
  state: 'valid' | 'expired' | 'revoked';
  heading: string;
  reason: string;
  holder: string;
  course: string;
  courseHref: string;
  rule: string;
  facts: CertificateFact[];
  code: string;
  address: string;
  qr: CertificateQR;
  signedHref: string | null;
  keysHref: string;
  keyNotice: string;
};

/** The QR code of the page: dark modules as a path in a square with sides of `size`. */
export type CertificateQR = {
  size: number;
  path: string;
};

/** All certificates of the learner, 24 a page. */
export type CertificatesView = {
  view?: 'certificates';
  certificates: CertificateList;
  page: number;
  pages: number;
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

/**
 * `checked`: number of the last event that is as it was recorded. `wrong`: number of the first that is not.
 * `last`: number of the last event; when it is larger than `checked` and nothing is wrong, time was over.
 */
export type CheckedChain = {
  checked: number;
  wrong: number | null;
  last: number;
};

/**
 * `key`: of this rendering, new each time; the form sends it back. `forms`: in the order of the page, for what was
 * typed so far. `services`: none when nothing is shipped. `seen`: the form sends it back as JSON.
 * `refusedOffers`: those of the whole cart. `paymentsRefusal`: payments cannot be taken just now, a text.
 * `reservedMinutes`: how long an order placed now stays reserved for its payment. `isFree`: nothing is to be paid, and
 * placing settles the order.
 */
export type Checkout = {
  key: string;
  lines: CheckoutLineSchema[];
  forms: CheckoutGroupSchema[];
  countries: OptionSchema[];
  services: CheckoutServiceSchema[];
  taxes: CheckoutTaxSchema[];
  totals: CheckoutTotalsSchema;
  seen: SeenSchema;
  refusals: CheckoutRefusalSchema[];
  refusedOffers: RefusalSchema[];
  terms: CheckoutTermsSchema;
  openOrder: OpenOrderSchema | null;
  isFree: boolean;
  reservedMinutes: number;
  paymentsRefusal: string | null;
};

/**
 * A line of the cart, priced. `listMinor`, `unitMinor`: of one unit, before and after its offers (the cart's coupon
 * apart). `offeredMinor`: of the line after all offers, before any step of tax: what the form shows beside it.
 * `totalMinor`: with what its tax adds. `steps`: from the list price to `offeredMinor`. `refusedOffers`: offers on
 * this line that do not hold, with the reason. `refusal`: why the line cannot be bought, null when it can.
 * `canBeGift`: the forms have a group for it.
 */
export type CheckoutLineSchema = {
  id: number;
  kind: 'course' | 'item';
  name: string;
  href: string;
  picture: Picture;
  category: CategoryName;
  itemKind: ('book' | 'voucher' | 'bundle' | 'physical') | null;
  quantity: number;
  listMinor: number;
  lowestBefore: number | null;
  unitMinor: number;
  offeredMinor: number;
  taxMinor: number;
  totalMinor: number;
  steps: StepSchema[];
  rejectedOffers: RejectedOfferSchema[];
  refusedOffers: RefusalSchema[];
  refusal: string | null;
  gift: GiftSchema | null;
  canBeGift: boolean;
};

/** `sendAt`: ISO 8601 date on which the recipient is told, "" for as soon as it is paid. */
export type GiftSchema = {
  recipientEmail: string;
  message: string;
  sendAt: string;
};

/** Fields under one legend. `productId`: of the line that a group `gift` is about. */
export type CheckoutGroupSchema = {
  group: 'buyer' | 'delivery' | 'billing' | 'withdrawal' | 'gift';
  legend: string;
  productId: number | null;
  fields: CheckoutFieldSchema[];
};

/**
 * `name`: of the field in the form, in `values` and in errors, such as billing.postal_code. `kind` country: one of
 * `Checkout.countries`; lines: a text of `lines` lines; radio and select: one of `options`; checkbox: its value is
 * "yes" when it is ticked. `value`: what was typed, right or wrong, "" for nothing. `error`: what to do about the
 * value, null for nothing. `warning`: what may be wrong with it and is taken all the same, null for nothing.
 * `autocomplete`: tokens of the HTML attribute. `changesForm`: another value may need other fields or prices.
 * `follows`: of a select in which nothing is chosen, the option that counts until something is, as no other suits the
 * postal code; "" for none.
 */
export type CheckoutFieldSchema = {
  name: string;
  label: string;
  kind: 'text' | 'email' | 'date' | 'lines' | 'select' | 'country' | 'radio' | 'checkbox';
  value: string;
  required: boolean;
  options: OptionSchema[];
  autocomplete: string;
  lines: number;
  example: string;
  follows: string;
  error: string | null;
  warning: string | null;
  changesForm: boolean;
};

/**
 * A delivery service. `listMinor`: what it costs below `freeFromMinor` (null: it is never free). `days`: such as "2
 * to 4 working days".
 */
export type CheckoutServiceSchema = {
  name: string;
  label: string;
  priceMinor: number;
  listMinor: number;
  freeFromMinor: number | null;
  days: string;
  isChosen: boolean;
};

/** All lines of one rate. `percent`: decimal text such as 9.975; `baseMinor`: what it is computed from. */
export type CheckoutTaxSchema = {
  label: string;
  percent: string;
  baseMinor: number;
  taxMinor: number;
};

/**
 * subtotal - discount + delivery + tax (exclusive prices) - removedTax (inclusive prices where none is due) is the
 * total. With inclusive prices the tax is inside the total. `place`: where the order is taxed, such as CA-QC.
 * `missingArea`: the label of the field without which the tax is not known, such as State; "" when it is.
 */
export type CheckoutTotalsSchema = {
  subtotalMinor: number;
  discountMinor: number;
  deliveryMinor: number;
  taxMinor: number;
  removedTaxMinor: number;
  totalMinor: number;
  currency: string;
  priceMode: 'inclusive' | 'exclusive';
  taxKind: 'standard' | 'reverse_charge' | 'none';
  place: string;
  missingArea: string;
};

/** What the form shows, sent back when the order is placed. `lines`: product id -> `offeredMinor`. */
export type SeenSchema = {
  lines: {
    [k: string]: number;
  };
  delivery: number;
  tax: number;
  total: number;
};

/** Why the order cannot be placed as it is. `productId` null: all of it. */
export type CheckoutRefusalSchema = {
  productId: number | null;
  name: string;
  message: string;
};

/**
 * The box to tick. Its value is `date`, that of the terms (ISO 8601); the text names the page at `href`.
 */
export type CheckoutTermsSchema = {
  text: string;
  href: string;
  date: string;
};

/** The learner's unpaid order, which goes on at `href`. Another order replaces it. */
export type OpenOrderSchema = {
  code: string;
  names: string[];
  totalMinor: number;
  currency: string;
  placedAt: string;
  reservedUntil: string | null;
  href: string;
};

/** Nothing was placed: these prices are not those of the form. */
export type CheckoutChanged = {
  status: 'changed';
  differences: CheckoutDifference[];
  checkout: Checkout;
};

/**
 * What the form showed, and what it is now. `beforeMinor` null: it is new; `afterMinor` null: it is gone. `step`:
 * of the breakdown, the one that makes the price now; `reason`: why an offer no longer holds, "" for none.
 */
export type CheckoutDifference = {
  part: 'line' | 'delivery' | 'tax' | 'total';
  productId: number | null;
  name: string;
  beforeMinor: number | null;
  afterMinor: number | null;
  step: string;
  reason: string;
};

/** Nothing was placed: this cannot be bought so. */
export type CheckoutFailed = {
  status: 'failed';
  lines: CheckoutRefusalSchema[];
  checkout: Checkout;
};

/**
 * `key` may come as the header Idempotency-Key instead. `seen`, `terms`: as the form showed them; `terms` is ""
 * when the box is not ticked.
 */
export type CheckoutOrder = {
  values: {
    [k: string]: string;
  };
  service?: string;
  key?: string;
  seen: SeenSchema;
  terms: string;
};

/** The order is placed, or was by an earlier call with this key. `redirect`: where the buyer goes on. */
export type CheckoutPlaced = {
  status: 'success';
  code: string;
  redirect: string;
};

/**
 * `checkout` None: it cannot be read just now. `refused`: of the form that this page answers, None for none.
 */
export type CheckoutProps = {
  title: string;
  checkout: Checkout | null;
  refused: CheckoutRefused | null;
};

/**
 * Why a form that was posted placed no order. `message`: of the whole form, "" for none. `errors`: by name of the
 * field. `differences`: prices that are not those of the form.
 */
export type CheckoutRefused = {
  message: string;
  errors: {
    [k: string]: string;
  };
  differences: CheckoutDifference[];
};

/**
 * `values`: what was typed, by name of the field. `service`: of `Checkout.services`, "" for the cheapest.
 */
export type CheckoutValues = {
  values: {
    [k: string]: string;
  };
  service?: string;
};

export type Choice = {
  value: string;
  label: string;
};

/** What the page is filtered by; `href` leads to the report without any of it. */
export type ChosenValues = {
  filters: ReportFilter[];
  href: string;
};

/** A value that everything on the page is of; `href` leads to the report without it. */
export type ReportFilter = {
  text: string;
  href: string;
};

/** The courses that the learner has now. */
export type ClaimedGift = {
  courses: LearningLink[];
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

export type ClosureFields = {
  endsAt: string;
  reason: string;
  isOver: boolean;
};

export type Code = {
  code: string;
};

/** A request for the codes of a batch. Sent again with its `idempotencyKey`, it gets the codes again. */
export type CodesRequest = {
  idempotencyKey: string;
};

/** What the figure of a column is. */
export type ColumnMeaning = {
  label: string;
  meaning: string;
  example: string;
};

/**
 * `ref`: for the outline's draft. `id`: of the lesson of the course whose contents it would replace; null for a new
 * one, or for one that `returns` with what learners did in it, after it was taken out. `lost`: sentences on what does
 * not come along.
 */
export type ComingLessonView = {
  ref: string;
  id: number | null;
  returns: boolean;
  title: string;
  kind: 'text' | 'video' | 'quiz' | 'file';
  minutes: number;
  isRequired: boolean;
  isPreview: boolean;
  lost: string[];
};

export type ComingSectionView = {
  title: string;
  lessons: ComingLessonView[];
};

/** How numbers of at least 10 ** `zeros` are written in short: divided by 10 ** `power`, as "{}K". */
export type CompactStep = {
  zeros: number;
  power: number;
  text: string;
};

/** `course`: its number. */
export type CompleteCourse = {
  course: string;
  reason: string;
};

/**
 * `digest`: the SHA-256, in base64, of the SHA-256 digests of all parts, one after the other, measured by the
 * sender on its own file.
 */
export type CompleteRequest = {
  digest: string;
};

/**
 * `status`: null when nothing may be shown. `order`: of the learner who is signed in; null with the return cookie
 * alone. `next`: while the page to pay on is being opened, the address that leads there once it is open. `isBack`:
 * the buyer comes back from the page to pay on by its way back, or from the shop, and says that nothing was paid.
 */
export type CompletedOrder = {
  status: OrderStatus | null;
  order: Order | null;
  next: string | null;
  isBack: boolean;
};

/**
 * What may be known of an order without a sign-in. `retryMs`: ask again after this time; null: nothing changes
 * soon, or it was asked for two minutes. `hasPage`: a page to pay on has been opened; without one nothing can be paid
 * yet.
 */
export type OrderStatus = {
  code: string;
  state: 'placed' | 'processing' | 'paid' | 'expired' | 'cancelled' | 'refunded';
  stateText: string;
  nextStep: string;
  tone: 'good' | 'warning' | 'info' | 'neutral';
  retryMs: number | null;
  canPay: boolean;
  hasPage: boolean;
  reservedUntil: string | null;
};

/**
 * An order as its learner sees it. `nextStep`: what to do now. `tone`: how its state is marked. `paymentKey`: the
 * key of the calls pay and cancel, for a day. `delivery` null: to the billing address, or nothing is delivered.
 * `taxKind`: reverse_charge: the buyer owes the tax. `unusedOffers`: of the whole cart. `refundForm` null: the order
 * is not paid. `withdrawHref`: of the page to withdraw from the contract, in shops of the Union. `transfer` null: it
 * waits for none. The newest payment, document and event is the last.
 */
export type Order = {
  code: string;
  state: 'placed' | 'processing' | 'paid' | 'expired' | 'cancelled' | 'refunded';
  stateText: string;
  nextStep: string;
  tone: 'good' | 'warning' | 'info' | 'neutral';
  canPay: boolean;
  canCancel: boolean;
  paymentKey: string;
  currency: string;
  placedAt: string;
  paidAt: string | null;
  endedAt: string | null;
  reservedUntil: string | null;
  priceMode: 'inclusive' | 'exclusive';
  taxKind: 'standard' | 'reverse_charge' | 'none';
  totals: OrderTotals;
  taxes: OrderTax[];
  lines: OrderLine[];
  unusedOffers: UnusedOffer[];
  email: string;
  vatId: string;
  purchaseOrder: string;
  quoteNumber: string;
  billing: string[];
  delivery: string[] | null;
  payments: OrderPayment[];
  refunds: OrderRefund[];
  documents: OrderDocument[];
  documentNote: string;
  events: OrderEventText[];
  refundForm: RefundForm | null;
  withdrawHref: string | null;
  transfer: OrderTransfer | null;
};

/**
 * subtotal - discount + delivery + tax (with `priceMode` exclusive) = total. `refunded`: of it, so far. `owed`: of
 * refunds that the bank sent back, still to be paid in another way.
 */
export type OrderTotals = {
  subtotal: number;
  discount: number;
  delivery: number;
  tax: number;
  total: number;
  refunded: number;
  owed: number;
};

/** All lines of one rate. `net`: what it applies to. */
export type OrderTax = {
  label: string;
  percent: string;
  tax: number;
  net: number;
};

/**
 * `kind` delivery: the delivery, without a product. `productId` and `href` null: the product has no page.
 * `unitPrice`: what one unit costs before the coupon of the whole cart and tax; `net`, `tax` and `total` are of the
 * whole line. `learn`: courses that the line opens for the learner now. `toSend`: units of goods that are still
 * to be sent; `parcels`: those with its goods, the first one first. `endedAt`: it was taken back. `owed`: of refunds
 * that the bank sent back, which `refunded` does not count.
 */
export type OrderLine = {
  number: number;
  productId: number | null;
  kind: 'product' | 'delivery' | 'seats';
  name: string;
  href: string | null;
  sku: string;
  fulfilment: '' | 'shipped' | 'download' | 'code' | 'courses';
  quantity: number;
  listPrice: number;
  unitPrice: number;
  net: number;
  tax: number;
  total: number;
  steps: OrderStep[];
  unusedOffers: UnusedOffer[];
  taxes: OrderLineTax[];
  refunded: number;
  owed: number;
  refundedQuantity: number;
  shippedAt: string | null;
  deliveredAt: string | null;
  toSend: number;
  parcels: LineParcel[];
  endedAt: string | null;
  voucherCodes: OrderVoucherCode[];
  downloads: OrderDownload[];
  learn: OrderLink[];
  gift: OrderGift | null;
};

/**
 * A step of a line's price: what it changes, and the price of the whole line after it. `included`: tax that is
 * inside the price.
 */
export type OrderStep = {
  step: 'list' | 'sale' | 'organisation' | 'code' | 'coupon' | 'tax';
  name: string;
  change: number;
  total: number;
  included: number;
};

/**
 * An offer that did not lower the price, and why. `total`: the line's price with it; null: it did not apply.
 */
export type UnusedOffer = {
  step: 'list' | 'sale' | 'organisation' | 'code' | 'coupon' | 'tax';
  name: string;
  total: number | null;
  message: string;
};

/** `percent`: decimal text, such as 19 or 9.975. */
export type OrderLineTax = {
  label: string;
  percent: string;
  tax: number;
};

/** A parcel with `quantity` units of a line. `carrier` and `tracking`: "" where nobody said so. */
export type LineParcel = {
  number: number;
  quantity: number;
  carrier: string;
  tracking: string;
  shippedAt: string;
  deliveredAt: string | null;
};

/** A code that the line gives. `voidAt`: it was taken back with a refund. */
export type OrderVoucherCode = {
  code: string;
  stateText: string;
  usedAt: string | null;
  voidAt: string | null;
};

export type OrderDownload = {
  name: string;
  href: string;
  bytes: number;
};

export type OrderLink = {
  name: string;
  href: string;
};

/**
 * `recipientEmail` "": it was erased. `sendAt` null: as soon as the order is paid. `stateText`: what became of it,
 * "" before the payment and after a refund. `canSendAgain`: its email, to the same address.
 */
export type OrderGift = {
  recipientEmail: string;
  message: string;
  sendAt: string | null;
  stateText: string;
  claimedAt: string | null;
  canSendAgain: boolean;
};

/**
 * An attempt to pay. `method` such as "Visa 4242", "" when nothing is known. `failure`: why it did not succeed and
 * what to do, "" if it did.
 */
export type OrderPayment = {
  number: number;
  state: 'new' | 'open' | 'processing' | 'paid' | 'failed' | 'expired' | 'void';
  stateText: string;
  method: string;
  amount: number;
  refunded: number;
  at: string;
  paidAt: string | null;
  failure: string;
};

/**
 * `lines` empty: money that bought nothing, such as a second payment. `notBack`: what of a request was not given
 * back, of one that was approved in part; `answer`: why, also of one that was declined. `at`: when it was requested.
 */
export type OrderRefund = {
  number: number;
  state: 'requested' | 'declined' | 'approved' | 'sent' | 'pending' | 'succeeded' | 'failed' | 'manual';
  stateText: string;
  reason:
    | 'request'
    | 'withdrawal'
    | 'late'
    | 'duplicate'
    | 'owned'
    | 'mismatch'
    | 'dispute'
    | 'dispute_won'
    | 'gateway'
    | 'staff';
  reasonText: string;
  note: string;
  amount: number;
  lines: OrderRefundLine[];
  notBack: OrderRefundLine[];
  answer: string;
  at: string;
  changedAt: string;
};

/** `number`: of the order's line. `quantity` 0: a part of the price. */
export type OrderRefundLine = {
  number: number;
  name: string;
  quantity: number;
  amount: number;
};

/**
 * `title`: what it is, in words: a credit note may take another one back. `isStructured`: its PDF has the
 * invoice in it for programs too, by EN 16931.
 */
export type OrderDocument = {
  kind: 'invoice' | 'credit_note';
  title: string;
  number: string;
  href: string;
  issuedAt: string;
  isStructured: boolean;
};

/** What happened to the order, in words. */
export type OrderEventText = {
  at: string;
  text: string;
};

/**
 * `key`: of the call, for a day. `delivery`: goes back with the last of the goods, of which `otherGoods` units
 * cannot be chosen. `automatic`: up to this amount nobody has to decide, unless goods were sent; null: somebody always
 * decides.
 */
export type RefundForm = {
  key: string;
  lines: RefundFormLine[];
  delivery: number;
  otherGoods: number;
  automatic: number | null;
};

/**
 * A product of the order. `quantity`: units that may be chosen, 0 with a `refusal`; `amounts`: what 1, 2, … of them
 * are worth. `confirmation`: what has to be confirmed, null for nothing. `isGoods`: delivery goes back with the last
 * of them.
 */
export type RefundFormLine = {
  number: number;
  name: string;
  quantity: number;
  amounts: number[];
  refusal: string | null;
  confirmation: ('deleted' | 'returned') | null;
  isGoods: boolean;
  isShipped: boolean;
};

/**
 * The bank transfer that an order waits for. `due`: what is still to come, `received`: what came so far.
 */
export type OrderTransfer = {
  account: TransferPart[];
  reference: string;
  due: number;
  received: number;
  untilText: string;
  code: PaymentCode | null;
};

/** What a form of a bank asks for. */
export type TransferPart = {
  label: string;
  text: string;
};

/** A code that banking apps read. `path`: its dark squares, of a drawing with `size` squares a side. */
export type PaymentCode = {
  size: number;
  path: string;
};

export type CompletedProps = {
  title: string;
  html: string;
  completed: CompletedOrder;
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

/**
 * `version`: the one that was changed, 0 for the first of a page. `body`: Markdown. `refundDays`: of the refund
 * policy, by kind of purchase.
 */
export type ContentChange = {
  version: number;
  title: string;
  description: string;
  body: string;
  refundDays?: {
    [k: string]: number;
  };
};

/**
 * `version`: the published one. `shownVersion`: the one whose text the form has; another than `version` for an
 * earlier text that is to be published again.
 */
export type ContentEditProps = {
  title: string;
  heading: string;
  backHref: string;
  slug: string;
  publicHref: string;
  version: number;
  shownVersion: number;
  form: Action;
  html: string;
  versions: ShortTable;
};

export type ContentProps = {
  title: string;
  html: string;
  crumbs: Crumb[];
  updatedAt: string;
  refundDays: number | null;
};

/** `version`: to send with the next change. */
export type ContentPublished = {
  text: string;
  href: string | null;
  version: number;
};

/** `version`: of the terms that the form showed. */
export type ContractChange = {
  startsOn: string;
  endsOn?: string;
  seats?: string;
  seatKind: 'person' | 'course';
  seatPrice?: string;
  isSelfService: 'yes' | 'no';
  kind: 'percent' | 'amount' | 'price';
  value: string;
  hasAllCourses: 'yes' | 'no';
  products?: string;
  isRestricted: 'yes' | 'no';
  joinPolicy: 'invitation' | 'code' | 'domain';
  joiningGivesSeat?: 'yes' | 'no';
  startDays: string;
  idleDays: string;
  freesCompleted: 'yes' | 'no';
  showsNames: 'yes' | 'no';
  reason?: string;
  version: number;
};

export type CorrectCertificate = {
  certificate: string;
  name: string;
  reason: string;
};

export type CorrectParcel = {
  parcel?: string | null;
  carrier?: string;
  tracking?: string;
};

/**
 * `isRunning`: more codes are being made. `takeCall`: hands the codes out, once; null when they were taken,
 * are not all made yet, or this person may not.
 */
export type CouponBatchProps = {
  title: string;
  heading: string;
  backHref: string;
  backText: string;
  facts: Fact[];
  groups?: FactGroup[];
  tables: ShortTable[];
  texts: TextPart[];
  actions: Action[];
  isRunning: boolean;
  takeCall: string | null;
};

/** `mayWrite`: whether this person may make one. */
export type CouponBatchesProps = {
  title: string;
  table: TableProps;
  links?: EmptyAction[];
  mayWrite: boolean;
};

/** `changed` false: it was so before. */
export type CouponChanged = {
  text: string;
  href: string | null;
  changed: boolean;
};

export type CouponCode = {
  coupon: string;
};

export type CouponCreated = {
  text: string;
  href: string | null;
  id: number;
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

/** `isRunning`: more orders are being counted. `answer`: what it comes to, in words. */
export type CouponForecastProps = {
  title: string;
  heading: string;
  backHref: string;
  backText: string;
  facts: Fact[];
  groups?: FactGroup[];
  tables: ShortTable[];
  texts: TextPart[];
  actions: Action[];
  isRunning: boolean;
  answer: string[];
  about: string;
};

/** `about`: what the chart counts. */
export type CouponHoursProps = {
  chart: ChartProps;
  about: string;
};

/**
 * `code`: on the whole cart. `organisation`: slug; `studentNumber`: of a learner, with learners.read alone. `at`:
 * null is now.
 */
export type CouponLabCart = {
  lines: LabLineForm[];
  code?: string;
  organisation?: string;
  studentNumber?: string;
  at?: string | null;
};

/** `product`: slug of a course or shop item, `course:` or `item:` before it where both have it. */
export type LabLineForm = {
  product: string;
  quantity?: number;
  code?: string;
};

/** `mayNameLearner`: whether this person may price for a learner. */
export type CouponLabProps = {
  title: string;
  organisations: Choice[];
  mayNameLearner: boolean;
};

/** Before tax and delivery. `unavailable`: products that are not sold, not to them, or theirs already. */
export type CouponLabQuote = {
  lines: LabPricedLine[];
  refusals: LabRefusal[];
  unavailable: string[];
  subtotalMinor: number;
  discountMinor: number;
  totalMinor: number;
};

export type LabPricedLine = {
  name: string;
  quantity: number;
  steps: LabStep[];
  rejectedOffers: LabOffer[];
};

export type LabStep = {
  text: string;
  changeMinor: number;
  totalMinor: number;
};

/** An offer that applies and was not used, with what the line would cost with it. */
export type LabOffer = {
  name: string;
  totalMinor: number;
  message: string;
};

/** `product` null: the code was on the whole cart. */
export type LabRefusal = {
  code: string;
  product: string | null;
  message: string;
};

export type CouponPageProps = {
  title: string;
  heading: string;
  backHref: string;
  backText: string;
  facts: Fact[];
  groups?: FactGroup[];
  tables: ShortTable[];
  texts: TextPart[];
  actions: Action[];
  hours: CouponHoursProps;
};

export type CouponReason = {
  reason: string;
};

/**
 * `intervals`: empty while there are too few pairs. `progress`: how far the trial is; `warnings`: what spoils it;
 * `about`: how it is counted.
 */
export type CouponTrialProps = {
  title: string;
  heading: string;
  backHref: string;
  backText: string;
  facts: Fact[];
  groups?: FactGroup[];
  tables: ShortTable[];
  texts: TextPart[];
  actions: Action[];
  intervals: TrialInterval[];
  progress: string;
  warnings: string[];
  about: string;
};

/**
 * `low`, `mean`, `high`: with the offer less without, of SESSIONS sessions; the texts write them. `verdict`: what
 * it means, `meaning`: how it is counted.
 */
export type TrialInterval = {
  id: string;
  title: string;
  verdict: string;
  low: number;
  mean: number;
  high: number;
  lowText: string;
  meanText: string;
  highText: string;
  meaning: string;
};

/** `mayWrite`: whether this person may create one. */
export type CouponsProps = {
  title: string;
  table: TableProps;
  links?: EmptyAction[];
  mayWrite: boolean;
};

export type CourseAddress = {
  slug: string;
};

/** `endsAt`: when access ends for everybody. `reason`: those who have the course read it. */
export type CourseClosing = {
  endsAt: string;
  reason: string;
};

export type CourseClosureView = {
  endsAt: string;
  reason: string;
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

/** `isVerified`: its author had the course. `editedAt`: when it was changed last; else null. */
export type Review = {
  id: number;
  author: string;
  rating: number;
  title: string;
  body: string;
  at: string;
  editedAt: string | null;
  isVerified: boolean;
};

/**
 * The page that a course ends with: what came of it, and what comes next. `certificates`: of this course.
 * `recommended`: courses to go on with.
 */
export type CourseEndView = {
  view: 'course-end';
  course: LearningCourse;
  review: CourseReview | null;
  certificates: CertificateList;
  recommended: RecommendedCourse[];
};

/**
 * `refusal`: why the learner cannot write or change a review now; null when they can. `own` null: they have written
 * none.
 */
export type CourseReview = {
  refusal: string | null;
  own: OwnReview | null;
};

/**
 * `author`: how pages name its author. `editedAt`: when it was changed last; else null. `hiddenReason`: why it is
 * not shown, in words, "" unless it is hidden. pending: somebody looks at it first.
 */
export type OwnReview = {
  id: number;
  rating: number;
  title: string;
  text: string;
  state: 'published' | 'pending' | 'hidden';
  author: string;
  reviewedAt: string;
  editedAt: string | null;
  hiddenReason: string;
};

/** `price` in minor units. `reason`: why it is recommended, in words. */
export type RecommendedCourse = {
  id: number;
  name: string;
  href: string;
  picture: Picture;
  price: number;
  reason: string;
};

/**
 * What stands around every page about a course or shop item. `missing`: in words. `publicHref`: its page in the
 * shop; None while people cannot open it.
 */
export type CourseFrame = {
  courseId: number;
  kind: 'course' | 'item';
  version: number;
  heading: string;
  backHref: string;
  state: CourseState;
  missing: string[];
  publicHref: string | null;
  tabs: CourseTab[];
};

export type CourseState = {
  id: string;
  text: string;
  tone: 'neutral' | 'info' | 'good' | 'warning' | 'bad';
};

export type CourseTab = {
  href: string;
  text: string;
  isCurrent: boolean;
};

export type CourseKeeping = {
  reason: string;
};

/**
 * `place`: of `count` lessons. `html`: the text as learners read it. `isGenerated`: the shop wrote it. `isFrozen`:
 * the course is retired, and its lessons keep their kinds.
 */
export type CourseLessonProps = {
  title: string;
  frame: CourseFrame;
  lessonId: number;
  section: string;
  place: number;
  count: number;
  fields: LessonFields;
  html: string;
  isGenerated: boolean;
  languages: SelectOption[];
  isFrozen: boolean;
  mayEdit: boolean;
};

/**
 * A lesson as it is edited. What its kind does not have is empty. `videos`, `file`: files of the site; `embedUrl`:
 * of a video of another site instead of `videos`. `attempts` None: no limit.
 */
export type LessonFields = {
  title: string;
  kind: 'text' | 'video' | 'quiz' | 'file';
  minutes: number;
  text: string;
  videos: LessonFileFields[];
  embedUrl: string;
  embedTitle: string;
  tracks: CaptionFields[];
  file: LessonFileFields | null;
  questions: QuizQuestionFields[];
  attempts: number | null;
  waitMinutes: number;
};

export type LessonFileFields = {
  sha256: string;
  name: string;
  mediaType: string;
  bytes: number;
};

/** `options` of one and several; `value`, `tolerance` and `unit` of a number, as decimal text. */
export type QuizQuestionFields = {
  id: string;
  kind: 'one' | 'several' | 'number';
  text: string;
  explanation: string;
  options: QuizOptionFields[];
  value: string;
  tolerance: string;
  unit: string;
};

export type QuizOptionFields = {
  id: string;
  text: string;
  isRight: boolean;
};

/** An option of a select. */
export type SelectOption = {
  value: string;
  label: string;
};

/**
 * Lists of a course, one entry a line. `faq`: a question, its answer on the next lines, then an empty line.
 */
export type CourseListChange = {
  version: number;
  outcomes: string;
  prerequisites: string;
  audience: string;
  faq: string;
};

/** `form` null: the lists are shown alone, as `text`. */
export type CourseListsProps = {
  title: string;
  frame: CourseFrame;
  text: string;
  form: Action | null;
};

/**
 * `frozen`: why only titles, minutes and contents can be changed; "" where all can. `cartridgeHref`: of the lessons
 * as a Common Cartridge; `cartridgeLacks`: what that does not hold.
 */
export type CourseOutlineProps = {
  title: string;
  frame: CourseFrame;
  outline: OutlineFields;
  stored: StoredLessonFields[];
  effects: OutlineEffectsFields;
  mayEdit: boolean;
  frozen: string;
  cartridgeHref: string;
  cartridgeLacks: string[];
};

export type OutlineFields = {
  sections: OutlineSectionFields[];
  rule: OutlineRuleFields;
};

export type OutlineSectionFields = {
  title: string;
  lessons: OutlineLessonFields[];
};

/** `id` None: a new one. `kind`: its own page changes it. */
export type OutlineLessonFields = {
  id: number | null;
  title: string;
  minutes: number;
  isRequired: boolean;
  isPreview: boolean;
};

/** Marks in percent; `validMonths` None: the certificate has no end. */
export type OutlineRuleFields = {
  requiredPercent: number;
  quizzes: 'passed' | 'attempted' | 'none';
  passMark: number;
  hasCertificate: boolean;
  validMonths: number | null;
};

/** What the list of lessons shows of a stored one. `isGenerated`: the shop wrote its text. */
export type StoredLessonFields = {
  id: number;
  kind: string;
  isGenerated: boolean;
  href: string;
};

/**
 * `rule`: in words. `owners`: learners who have the course; `completed`: those who have completed it. `completing`:
 * how many more would; `isAll` False: at least so many.
 */
export type OutlineEffectsFields = {
  rule: string;
  lessons: number;
  minutes: number;
  owners: number;
  completed: number;
  completing: number;
  isAll: boolean;
};

/**
 * What a package would bring. `uploadId`: to send with the outline. `lost`: what does not come along and belongs to
 * no lesson.
 */
export type CoursePackageView = {
  uploadId: number;
  name: string;
  format: string;
  title: string;
  sections: ComingSectionView[];
  lost: string[];
};

/** `note`: what visitors can see of it. */
export type CoursePreviewProps = {
  title: string;
  backHref: string;
  note: string;
  course: CourseProps;
  reviews: Reviews;
};

/**
 * `descriptionHtml` is sanitised. `sheetCount`: lessons that are study sheets, which the shop made from the
 * outline. `retired` is set when the course is no longer sold.
 */
export type CourseProps = {
  lowestBefore?: number;
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
  languageName: string | null;
  category: CategoryRef;
  instructors: Instructor[];
  provider: string;
  durationMin: number | null;
  lessonCount: number;
  credits: number | null;
  creditsText: string | null;
  sections: Section[];
  sheetCount: number;
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

/** `href`: of their page, which they have while a course of theirs is on sale. */
export type Instructor = {
  slug: string;
  href: string | null;
  name: string;
  title: string;
  bio: string;
  picture: Picture | null;
};

export type Section = {
  title: string;
  minutes: number;
  lessons: Lesson[];
};

export type Lesson = {
  title: string;
  kind: 'text' | 'video' | 'quiz' | 'file';
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
 * Amounts in minor units. `lowest`: of the days before the sale that runs or is next. `form` null: this session may
 * not set the price now. `mayWithdraw`: planned prices.
 */
export type CoursePriceProps = {
  title: string;
  frame: CourseFrame;
  now: number;
  listPrice: number;
  lowest: number | null;
  lowestDays: number;
  planned: PriceRow[];
  past: PriceRow[];
  form: Action | null;
  mayWithdraw: boolean;
};

/** Amounts in minor units, times in ISO 8601. `by` None: a command or an import. */
export type PriceRow = {
  id: number;
  startsAt: string;
  endsAt: string | null;
  listPrice: number;
  salePrice: number | null;
  by: string | null;
  reason: string;
};

/** `completedAt`: completed stays completed, whatever comes later. */
export type CourseProgressState = {
  course: number;
  status: CourseStatus;
  completedAt: string | null;
};

/** `startsAt` null: now. `isOutlineMeant`: a course without lessons of its own is published as it is. */
export type CoursePublication = {
  version: number;
  startsAt?: string | null;
  isOutlineMeant?: boolean;
};

/**
 * `words`: about its state. `publishedAt`: of a scheduled product, when it will be. `closure`: the end of access
 * for everybody that is announced or has come. `actions`: null for whoever may not publish.
 */
export type CoursePublicationProps = {
  title: string;
  frame: CourseFrame;
  words: string;
  publishedAt: string | null;
  closure: ClosureFields | null;
  actions: Action[] | null;
};

export type CourseRecordsProps = {
  title: string;
  frame: CourseFrame;
  facts: Fact[];
  tables: ShortTable[];
};

/** `href`: its page in the catalogue. `learnHref`: its outline on this page. */
export type CourseRef = {
  id: number;
  slug: string;
  name: string;
  href: string;
  learnHref: string;
  picture: Picture;
};

export type CourseRequest = {
  courseId: number | string;
};

/** `successor`: the slug of another course, "" for none. `reason`: why, for the record. */
export type CourseRetirement = {
  version: number;
  successor?: string;
  reason: string;
};

/** `version`: to send with the next change. */
export type CourseSaved = {
  text: string;
  href: string | null;
  id: number;
  version: number;
};

/** `hits`: of lessons that hold all words, at most 50; `hasMore`: there are others. */
export type CourseSearch = {
  query: string;
  hits: SearchHit[];
  hasMore: boolean;
};

/** `sentence`: the one with the words, in plain text. */
export type SearchHit = {
  lesson: LessonLink;
  sentence: string;
};

/** Texts of a course. `description`: Markdown; `instructors`: their short names. */
export type CourseTextChange = {
  version: number;
  name: string;
  subtitle: string;
  description: string;
  category: string;
  level: string;
  language: string;
  durationMinutes: number;
  provider: string;
  instructors: string[];
};

/**
 * `form` null: the texts are shown alone. `descriptionHtml`: the stored description as the shop shows it.
 */
export type CourseTextsProps = {
  title: string;
  frame: CourseFrame;
  subtitle: string;
  descriptionHtml: string;
  form: Action | null;
};

export type CourseVersion = {
  version: number;
};

/**
 * `search` null: nothing was searched for. `review`: the learner's own. `certificates`: of this course. `refund`:
 * the order in which it can be refunded, because it was withdrawn soon after it was bought or is closed; else null.
 * `closure`: access ends for everybody.
 */
export type CourseView = {
  view?: 'course';
  course: LearningCourse;
  search: CourseSearch | null;
  review: CourseReview | null;
  certificates: CertificateList;
  refund: LearningLink | null;
  closure: CourseClosureView | null;
};

/** All courses of the learner, 24 a page. */
export type CoursesView = {
  view?: 'courses';
  courses: DashboardCourse[];
  page: number;
  pages: number;
};

/** `source`: where access comes from, in words. */
export type DashboardCourse = {
  id: number;
  name: string;
  learnHref: string;
  picture: Picture;
  isRetired: boolean;
  rule: string;
  done: number;
  needed: number;
  percent: number;
  minutesLeft: number;
  state: 'new' | 'underway' | 'completed' | 'ended';
  source: string;
  accessUntil: string | null;
  enrolledAt: string;
  completedAt: string | null;
};

/**
 * `exponent`: decimals of an amount; `quantum`: the smallest difference of prices, in minor units (10 where there
 * are three decimals).
 */
export type CurrencyProps = {
  code: string;
  exponent: 0 | 2 | 3;
  quantum: 1 | 10;
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

/**
 * `ongoing`: up to three courses to go on with, the last one first. `courses`: the newest 24. `materials`: the
 * newest four. `studentNumber`: the learner's own; `inviteHref` remembers who recommended the shop.
 */
export type Dashboard = {
  organisations: DashboardOrganisation[];
  notices: DashboardNotice[];
  ongoing: OngoingCourse[];
  courses: DashboardCourse[];
  hasMoreCourses: boolean;
  materials: Material[];
  hasMoreMaterials: boolean;
  certificates: CertificateList;
  nearestCertificate: NearestCertificate | null;
  orders: DashboardOrder[];
  hasMoreOrders: boolean;
  recommended: RecommendedCourse[];
  studentNumber: string;
  inviteHref: string;
};

export type DashboardOrganisation = {
  name: string;
  logo: string;
};

/** Something that the learner may want to do now. `action` null: it only informs. */
export type DashboardNotice = {
  kind: string;
  title: string;
  text: string;
  action: LearningLink | null;
};

/**
 * `course`: the id of one of `courses`. `resume`: where the learner goes on; null when it has no lessons.
 */
export type OngoingCourse = {
  course: number;
  resume: LessonLink | null;
};

/** What was bought besides courses. `href`: its order. */
export type Material = {
  name: string;
  href: string;
  boughtAt: string;
  files: MaterialFile[];
  codes: MaterialCode[];
};

/** A file to download; `bytes` is its size. */
export type MaterialFile = {
  name: string;
  href: string;
  bytes: number;
};

/** A code to show or to redeem. */
export type MaterialCode = {
  code: string;
  stateText: string;
  isUsed: boolean;
};

/** The course that needs least to be completed, and what it still needs, in words. */
export type NearestCertificate = {
  course: LearningLink;
  missing: string;
};

/** `what`: what was ordered, in words. `total` in minor units of `currency`. */
export type DashboardOrder = {
  code: string;
  what: string;
  href: string;
  placedAt: string;
  stateText: string;
  total: number;
  currency: string;
};

/**
 * `gift`: of the link that led here; else null. `seats`: of a member of organisations, null without any. `join`:
 * organisations that may be joined. `failed`: parts that could not be read now.
 */
export type DashboardView = {
  view: 'dashboard';
  dashboard: Dashboard;
  gift: GiftCard | null;
  seats: SeatsCard | null;
  join: JoinOffers;
  failed: ('gift' | 'seats' | 'join')[];
};

/**
 * `giver`: first name and initial, "" for the shop. `refusal`: why it cannot be accepted, in words; else null.
 * `isClaimed`: the learner has accepted it before.
 */
export type GiftCard = {
  token: string;
  name: string;
  giver: string;
  message: string;
  courses: LearningLink[];
  refusal: string | null;
  isClaimed: boolean;
};

/**
 * `choices`: courses that the learner may ask for. `history`: the newest first, also of seats that they had.
 */
export type SeatsCard = {
  seats: SeatCard[];
  waiting: WaitingSeat[];
  choices: SeatChoice[];
  history: SeatEventLine[];
};

/**
 * `number`: within its contract. `text`: what to know about it now. `canConfirm`: "I still need it" can be said;
 * `canPause`: it was not paused yet.
 */
export type SeatCard = {
  id: number;
  number: number;
  organisation: string;
  courses: string[];
  text: string;
  hasNotice: boolean;
  canConfirm: boolean;
  canPause: boolean;
  isPaused: boolean;
};

/** `place`: in the queue, counted from 1. */
export type WaitingSeat = {
  id: number;
  course: string;
  organisation: string;
  requestedAt: string;
  place: number;
};

export type SeatChoice = {
  id: number;
  name: string;
};

/** `text`: what happened, to which seat, by whom and why. */
export type SeatEventLine = {
  id: number;
  day: string;
  text: string;
};

/** `refusal`: why the link that was followed opens nothing; else null. */
export type JoinOffers = {
  cards: JoinCard[];
  refusal: string | null;
};

/**
 * An organisation that may be joined: by `invitationId` (with the `token` of its link, "" for one that was sent to
 * the verified address), by `code`, or else by the domain of the address. `role`: in words. `courses`: names of those
 * that come with it. `sees`, `neverSees`: what managers will see, and never do. `canShare`: the learner may agree
 * that they see progress. `isRestricted`: the shop will show what the contract covers alone.
 */
export type JoinCard = {
  kind: 'invitation' | 'code' | 'domain';
  organisation: string;
  organisationId: number;
  logo: string;
  invitationId: number | null;
  token: string;
  code: string;
  role: string;
  team: string;
  courses: string[];
  sees: string;
  neverSees: string;
  canShare: boolean;
  isRestricted: boolean;
};

/**
 * `computed` of the `days` of the shop have been computed. `waiting`: the days that this report reads and that have
 * not; figures are without them, or will change with them.
 */
export type DaysComputed = {
  computed: number;
  days: number;
  waiting: string[];
};

export type DeclineRefund = {
  words: string;
};

export type DeclinedInvitation = {
  isDeclined: boolean;
};

/**
 * `confirm`: the account's email address, as typed. `keepCertificates`: they stay valid and keep the name; else
 * they are revoked and lose it.
 */
export type DeleteAccount = {
  confirm: string;
  keepCertificates?: boolean;
};

export type DeletedView = {
  id: number | string;
};

/** The page of one thing. `backHref` leads to its list. `groups`: more facts. */
export type DetailProps = {
  title: string;
  heading: string;
  backHref: string;
  backText: string;
  facts: Fact[];
  groups?: FactGroup[];
  tables: ShortTable[];
};

/** `week`: its Monday. */
export type DismissedQuery = {
  query: string;
  week: string;
};

export type DomainDecision = {
  domain: string;
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

/** An empty object: the call has no parameters. */
export type EmptyRequest = Record<string, never>;

/** `grant`: its number. */
export type EndAccess = {
  grant: string;
  reason: string;
};

/** `product`: slug of a course or a bundle, `course:` or `item:` before it where both have it. */
export type Enrol = {
  product: string;
  reason: string;
};

/** `course`: its id. */
export type EnrolRequest = {
  course: number | string;
};

/** `redirect`: where the learner begins. `isNew` False: the learner had it already. */
export type EnrolledCourse = {
  redirect: string;
  isNew: boolean;
};

/** `order`: the code of the order that the money is for. */
export type EntryAssignment = {
  order: string;
  reason: string;
};

/**
 * The page on which a category or an instructor is edited. `slug`: its short name, which never changes.
 * `shopHref`: its page in the shop, which it has while something of it is on sale.
 */
export type EntryEditProps = {
  title: string;
  heading: string;
  backHref: string;
  entryId: number;
  slug: string;
  picture: Picture | null;
  shopHref: string | null;
  form: Action;
};

export type EntryIgnored = {
  reason: string;
};

/** `reason`: how it was given back. */
export type EntryReturn = {
  reason: string;
};

/**
 * `confirm`: the account's email address, as typed. `certificates`: they stay valid and keep the name, or are
 * revoked and lose it.
 */
export type EraseLearner = {
  confirm: string;
  certificates: 'revoke' | 'keep';
  reason: string;
};

/** `signIn`: where whoever owns the address signs in and comes back here. */
export type ErrorProps = {
  status: number;
  message: string;
  suggestions: Card[];
  signIn?: string;
};

/** All stored data of the learner; docs/contracts.md lists its parts. */
export type Export = {
  [k: string]: unknown;
};

/** `grant`: its number. `until` null: without an end. */
export type ExtendAccess = {
  grant: string;
  until?: string | null;
  reason: string;
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

export type FileBody = {
  kind: 'file';
  html: string;
  name: string;
  href: string;
  bytes: number;
  mediaType: string;
};

export type First = {
  password: string;
};

/** Seats of a course, with a contract of their own. */
export type FirstPurchase = {
  key: string;
  unitMinor: string;
  quantity: string;
  course: string;
  showsNames: 'yes' | 'no';
  joiningGivesSeat: 'yes' | 'no';
  payment?: 'card' | 'transfer';
  billing?: BillingAddress;
  terms: string;
};

export type FlowMessage = {
  key: string;
  text: string;
  kind: 'error' | 'warning' | 'info';
  field: string | null;
};

export type GiftToken = {
  token: string;
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

export type HealthGroup = {
  title: string;
  parts: HealthPart[];
};

/** `text`: what it does, and what its state means for visitors. */
export type HealthPart = {
  title: string;
  state: string;
  tone: 'neutral' | 'info' | 'good' | 'warning' | 'bad';
  text: string;
};

/**
 * `groups`: [] while no process has taken a sample yet; `note` then says so. `at`: of the newest sample. `upkeep`:
 * copies and secrets, with what is late.
 */
export type HealthProps = {
  title: string;
  note: string;
  at: string | null;
  groups: HealthGroup[];
  facts: Fact[];
  upkeep: ShortTable;
  tables: ShortTable[];
  charts: ChartProps[];
  actions: Action[];
};

export type HiddenValue = {
  name: string;
  value: string;
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

/** `alt`: what the picture shows, in words. The same `idempotencyKey` starts nothing again. */
export type ImageRequest = {
  uploadId: number | string;
  alt: string;
  idempotencyKey: string;
};

/** `image` once the picture is re-encoded; `error`: why it cannot be used, in a sentence. */
export type ImageStatus = {
  id: number;
  state: 'queued' | 'running' | 'done' | 'failed' | 'stopped';
  image: SentImage | null;
  error: string | null;
};

/** A picture that can be used. `src`: its address; `width`, `height` in pixels. */
export type SentImage = {
  id: number;
  src: string;
  width: number;
  height: number;
  alt: string;
};

/**
 * `constants`: field -> its value in rows that have none. The same `idempotencyKey` starts nothing again.
 */
export type ImportCheck = {
  uploadId: number | string;
  kind: 'courses' | 'items';
  mapping?: {
    [k: string]: string;
  };
  ignored?: string[];
  words?: {
    [k: string]: {
      [k: string]: string;
    };
  };
  decimal?: '.' | ',';
  encoding?:
    | 'utf-8'
    | 'windows-1252'
    | 'windows-1251'
    | 'windows-1250'
    | 'shift_jis'
    | 'gb18030'
    | 'euc_kr'
    | 'mac_roman';
  preset?: string;
  constants?: {
    [k: string]: string;
  };
  idempotencyKey: string;
};

/**
 * `field`: what the column becomes; null: it is not used. `samples`: some of its first values. `warning`: which of
 * them do not fit the field, in a sentence; "" when all do. `unread`: words among them whose meaning can be said.
 */
export type ImportColumn = {
  name: string;
  field: string | null;
  samples: string[];
  warning: string;
  unread: string[];
};

export type ImportColumns = {
  columns: ImportColumn[];
};

/** Which file, and how it is to be read. */
export type ImportColumnsRequest = {
  uploadId: number | string;
  kind: 'courses' | 'items';
  mapping?: {
    [k: string]: string;
  };
  ignored?: string[];
  words?: {
    [k: string]: {
      [k: string]: string;
    };
  };
  decimal?: '.' | ',';
  encoding?:
    | 'utf-8'
    | 'windows-1252'
    | 'windows-1251'
    | 'windows-1250'
    | 'shift_jis'
    | 'gb18030'
    | 'euc_kr'
    | 'mac_roman';
  preset?: string;
};

/** A field of a kind of rows. */
export type ImportField = {
  name: string;
  isRequired: boolean;
};

/** A program whose exports are known. `kind`: of their rows. */
export type ImportPreset = {
  name: string;
  label: string;
  kind: 'courses' | 'items';
};

export type ImportProps = {
  title: string;
  backHref: string;
  status: ImportStatus;
};

/**
 * `processed` of `total` are rows of an import, and bytes of a check. `rate`: of these a second; null before there
 * is one. `error`: why it failed, in a sentence. `ready`: how many rows may be imported now; null for an import, and
 * while its check is not done. `moreFindings`: those that are only counted. `rowsHref`: what was found of every row,
 * as CSV; null while there is nothing. `refusedHref`: the rows that are left out, as in the file, with the reason.
 */
export type ImportStatus = {
  id: number;
  name: string;
  isCheck: boolean;
  state: 'queued' | 'running' | 'done' | 'failed' | 'stopped';
  processed: number;
  total: number | null;
  rate: number | null;
  counts: JobCount[];
  findings: JobFinding[];
  moreFindings: number;
  unusedColumns: string[];
  error: string | null;
  ready: number | null;
  rowsHref: string | null;
  refusedHref: string | null;
};

export type JobCount = {
  label: string;
  count: number;
};

/** `line`: of the file. */
export type JobFinding = {
  about: string;
  line: number;
  text: string;
};

/** `checkId`: of a check that is done; what it has read is imported. */
export type ImportStart = {
  checkId: number | string;
};

/**
 * `courseFields`, `itemFields`: what a column or a value for all rows can become. `encodings`: in which a file may
 * be. `meanings`: field -> what a word in it can mean; other fields take any text. `table`: former imports.
 */
export type ImportsProps = {
  title: string;
  courseFields: ImportField[];
  itemFields: ImportField[];
  presets: ImportPreset[];
  encodings: (
    | 'utf-8'
    | 'windows-1252'
    | 'windows-1251'
    | 'windows-1250'
    | 'shift_jis'
    | 'gb18030'
    | 'euc_kr'
    | 'mac_roman'
  )[];
  meanings: {
    [k: string]: string[];
  };
  table: TableProps;
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

export type InstructorChange = {
  version: number;
  name: string;
  title: string;
  bio: string;
};

/**
 * `bio`: plain text. `courseCount`: also those that are not among the `cards`, which `allHref` then leads to.
 */
export type InstructorProps = {
  name: string;
  title: string;
  bio: string;
  picture: Picture | null;
  rating: number | null;
  ratingCount: number;
  courseCount: number;
  cards: Card[];
  allHref: string | null;
  crumbs: Crumb[];
};

/**
 * `token`: of the link, "" for an invitation to one's own verified address. `sharesProgress`: managers may see how
 * far one is, where the contract shows names.
 */
export type InvitationAcceptance = {
  token?: string;
  sharesProgress?: boolean;
};

/**
 * `courses`: slugs, separated by spaces, commas or lines, which the member gets on joining. `contractId` "": the
 * newest contract that runs.
 */
export type InvitationForm = {
  email: string;
  name?: string;
  team?: string;
  role?: string;
  courses?: string;
  contractId?: string;
};

export type InvitationRefusal = {
  token?: string;
};

/** `courses`: their slugs, in the order in which the bundle opens them. */
export type ItemCourses = {
  version: number;
  courses: string[];
};

export type ItemDeferred = {
  related: Card[];
};

/** `stock` null: as many as people want. `weightG`: of one with its packing, in grams; 0: not known. */
export type ItemDeliveryChange = {
  version: number;
  itemKind: 'book' | 'voucher' | 'bundle' | 'physical';
  sku: string;
  stock: number | null;
  fulfilment: 'shipped' | 'download' | 'code' | 'courses';
  delivery: string;
  weightG: number;
  taxClass: string;
};

/**
 * `text`: how many there are; shown alone where `form` is null. `courses`: the form of what a bundle opens.
 * `files`: of an item that is downloaded. Null for others, and for those who may not change it.
 */
export type ItemDeliveryProps = {
  title: string;
  frame: CourseFrame;
  text: string;
  form: Action | null;
  courses: Action | null;
  files: ItemFileProps[] | null;
};

/** A file that the buyers of an item can download. */
export type ItemFileProps = {
  sha256: string;
  name: string;
  mediaType: string;
  bytes: number;
};

/** `files`: SHA-256 of stored files, in the order in which buyers see them. */
export type ItemFiles = {
  version: number;
  files: string[];
};

/** As `CoursePreviewProps`. */
export type ItemPreviewProps = {
  title: string;
  backHref: string;
  note: string;
  item: ItemProps;
};

/**
 * `descriptionHtml` is sanitised. `stock`: how many are left if these are few, 0 sold out; null: enough.
 */
export type ItemProps = {
  lowestBefore?: number;
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

export type ItemRetirement = {
  version: number;
  successor?: string;
  reason: string;
};

/** `description`: Markdown. */
export type ItemTextChange = {
  version: number;
  name: string;
  subtitle: string;
  description: string;
  category: string;
};

/** `descriptionHtml`: as the shop shows it. `form` null: the texts are shown alone. */
export type ItemTextsProps = {
  title: string;
  frame: CourseFrame;
  descriptionHtml: string;
  form: Action | null;
};

/** Either a join code, or the organisation that the domain of one's address belongs to. */
export type JoinRequest = {
  code?: string;
  organisationId?: number | string | null;
  sharesProgress?: boolean;
};

/** `isNew` false: one belonged to it already. */
export type JoinedOrganisation = {
  organisation: string;
  isNew: boolean;
};

/** `CourseID` is the id of a course or a shop item: both use one sequence of ids. */
export type LearnerCourse = {
  AAUserID: number | string;
  CourseID: number | string;
};

/**
 * `hits` null: nothing was searched yet. `note`: what to do when nobody or too many were found, else "".
 */
export type LearnersProps = {
  title: string;
  q: string;
  hits: ShortTable | null;
  note: string;
};

/**
 * A lesson of an owned course. `changedAt`: changed since it was done; else null. `isGenerated`: the shop made a
 * study sheet, because its author gave no text. `number`: its place in the outline, from 1; 0 when withdrawn.
 */
export type LearningLesson = {
  id: number;
  courseId: number;
  title: string;
  kind: 'text' | 'video' | 'quiz' | 'file';
  minutes: number;
  number: number;
  section: string;
  isRequired: boolean;
  isWithdrawn: boolean;
  isGenerated: boolean;
  revision: number;
  updatedAt: string;
  changedAt: string | null;
  body: TextBody | VideoBody | FileBody | QuizBody | MissingBody;
  state: LessonState;
  previous: LessonLink | null;
  next: LessonLink | null;
};

export type TextBody = {
  kind: 'text';
  html: string;
};

/**
 * Either `sources` or `embed`. Addresses of files end after some hours: the page's data has new ones. `seconds`:
 * the length of the film, as its transcript has it; null without one.
 */
export type VideoBody = {
  kind: 'video';
  html: string;
  sources: VideoSource[];
  captions: VideoCaptions[];
  poster: string | null;
  transcript: TranscriptCue[];
  seconds: number | null;
  embed: VideoEmbed | null;
};

export type VideoSource = {
  src: string;
  mediaType: string;
};

export type VideoCaptions = {
  src: string;
  language: string;
  label: string;
};

/** `start` and `end` in seconds. */
export type TranscriptCue = {
  start: number;
  end: number;
  text: string;
};

/**
 * A video of another site, which the page loads when its learner asks for it. `isAllowed`: the shop's setting names
 * its host; otherwise only the link is shown.
 */
export type VideoEmbed = {
  provider: string;
  url: string;
  title: string;
  isAllowed: boolean;
};

/** The text above the questions, which the quiz's own call answers. */
export type QuizBody = {
  kind: 'quiz';
  html: string;
  questionCount: number;
};

/** What the lesson teaches cannot be shown; progress can be recorded. `reference`: to quote to support. */
export type MissingBody = {
  kind: 'missing';
  reference: string;
};

/**
 * Progress in a lesson. Times are milliseconds of the server's clock. `position`: seconds of a video, thousandths
 * of a text; `furthest`: the largest ever.
 */
export type LessonState = {
  isDone: boolean;
  doneAt: number | null;
  position: number;
  positionAt: number | null;
  furthest: number;
};

/** Visits that the figures leave out; those without a session are in visits alone. */
export type LeftOutVisits = {
  suspected: number;
  crawlers: number;
  withoutSession: number;
};

/**
 * `at`: milliseconds of the server's clock when it happened; the future counts as now. `position`: seconds of a
 * video, thousandths of a text.
 */
export type LessonChange = {
  lesson: number | string;
  at: number;
  done?: boolean | null;
  position?: number | null;
};

/** A lesson with what it teaches; what its `kind` does not need is ignored. */
export type LessonContentChange = {
  version: number;
  title: string;
  kind: 'text' | 'video' | 'quiz' | 'file';
  minutes: number;
  text?: string;
  videos?: LessonFile[];
  embedUrl?: string;
  embedTitle?: string;
  tracks?: LessonTrack[];
  file?: LessonFile | null;
  questions?: LessonQuestion[];
  attempts?: number | null;
  waitMinutes?: number;
};

export type LessonFile = {
  sha256: string;
  name?: string;
  mediaType: string;
  bytes?: number;
};

/** `text`: WebVTT. */
export type LessonTrack = {
  language: string;
  text: string;
};

/** `options` of one and several; `value`, `tolerance` and `unit` of a number. */
export type LessonQuestion = {
  id: string;
  kind: 'one' | 'several' | 'number';
  text: string;
  explanation?: string;
  options?: LessonOption[];
  value?: string;
  tolerance?: string;
  unit?: string;
};

export type LessonOption = {
  id: string;
  text: string;
  isRight: boolean;
};

/** Plain text. `version` 0: not written yet. A change names the version that it was made from. */
export type LessonNote = {
  lesson: number;
  body: string;
  version: number;
  updatedAt: string | null;
};

/** The newest first, 24 a page; `total`: of all pages. */
export type LessonNotes = {
  notes: NoteInList[];
  total: number;
};

export type LessonProgressState = {
  isDone: boolean;
  doneAt: number | null;
  position: number;
  positionAt: number | null;
  furthest: number;
  lesson: number;
};

/** `version`: of its course, to send with the next change. */
export type LessonSaved = {
  id: number;
  version: number;
};

export type LessonText = {
  text: string;
};

/** `quiz`: of a lesson that is one. */
export type LessonView = {
  view: 'lesson';
  course: LearningCourse;
  lesson: LearningLesson;
  quiz: Quiz | null;
  note: LessonNote;
};

export type LetterDrop = {
  reason: string;
};

/** Fields that are left out do not change. */
export type LineChange = {
  quantity?: number | null;
  saved?: boolean | null;
};

export type Lines = {
  lines: RequestedLineSchema[];
};

export type LinkedLines = {
  lines: RequestedLineSchema[];
};

/**
 * A page that is one list (components/admin/ListView.tsx). `links`: what can be done beside it, such as making
 * something new; only those that this person may open.
 */
export type ListPageProps = {
  title: string;
  table: TableProps;
  links?: EmptyAction[];
};

/**
 * How the locale writes. In patterns {} stands for the digits, {month} for one of `months`, {dd}, {hh}, {kk},
 * {mm} for two digits, {h} for an hour of 24, {k} for one of 12; `periods` are the parts of the day by the hour with
 * which each begins; `hours` and `minutes` are patterns of durations. `grouping`: how many digits stand before the
 * first separator at least, in the last group, in the others.
 */
export type LocaleForms = {
  zero: string;
  decimal: string;
  group: string;
  grouping: number[];
  negative: string;
  percent: string;
  money: string;
  negativeMoney: string;
  moneyDecimal: string;
  moneyGroup: string;
  moneyGrouping: number[];
  day: string;
  months: string[];
  moment: string;
  time: string;
  periods: {
    [k: string]: string;
  };
  hours: string;
  minutes: string;
  short?: ShortForms;
};

/**
 * For tables and charts, which only areas have: names of months in short, and patterns of days and of times.
 */
export type ShortForms = {
  day: string;
  months: string[];
  dayOfYear: string;
  month: string;
  monthsAlone: string[];
  moment: string;
  time: string;
  compact: CompactStep[];
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

/** `waiting`: what waits at the address to go back to, in words; "" for nothing that the host knows. */
export type LoginProps = {
  title: string;
  html: string;
  waiting: string;
};

/** `jobId`: of the answer of organization/logos; null: no logo any more. */
export type LogoChoice = {
  jobId: number | string | null;
};

/**
 * A picture that was sent, to become the logo. Sent again with its `idempotencyKey`, it starts nothing again.
 */
export type LogoRequest = {
  uploadId: number | string;
  idempotencyKey: string;
};

export type MailChange = {
  frequency: 'week' | 'month';
  hour: number;
};

/** `version`: the one that was changed, 0 for the shop's own words. */
export type MailTextChange = {
  words: {
    [k: string]: string;
  };
  version: number;
};

/**
 * `version`: the published one, 0 for the shop's own words. `shownVersion`: the one whose words the form has.
 * `test`: sends the words of the form to whoever asks. `reset`: null while the mail has the shop's own words.
 */
export type MailTextProps = {
  title: string;
  heading: string;
  backHref: string;
  name: string;
  version: number;
  shownVersion: number;
  facts: Fact[];
  form: Action;
  test: Action;
  reset: Action | null;
  mails: ShownMail[];
  tables: ShortTable[];
};

/** A mail as it would arrive. `case`: with which values. `html`: what its HTML form shows, in `style`. */
export type ShownMail = {
  case: string;
  subject: string;
  text: string;
  html: string;
  style: string;
};

/** `version`: the one that is left. */
export type MailTextReset = {
  version: number;
};

/** `words`: by the name of a part. */
export type MailWords = {
  words: {
    [k: string]: string;
  };
};

export type ManagedOrganisation = {
  slug: string;
  name: string;
};

/** All that the learner has bought to download or to show, 24 a page. */
export type MaterialsView = {
  view?: 'materials';
  materials: Material[];
  page: number;
  pages: number;
};

export type MemberRemoval = {
  reason?: string;
};

export type MemberRole = {
  role: string;
  reason?: string;
};

/** `team` "": none. */
export type MemberTeam = {
  team?: string;
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

/** `cartToken`: of the link on whose page these lines stood; "" for none. */
export type MergedLines = {
  lines: RequestedLineSchema[];
  cartToken?: string;
};

export type MessageAnswer = {
  text: string;
};

export type Method = {
  method?: 'SMS' | 'CALL';
};

/** 404 in the frame of an owned course. */
export type MissingLessonView = {
  view?: 'missing-lesson';
  course: LearningCourse;
  message: string;
};

export type NewCatalogueEntry = {
  name: string;
};

/** Terms and whose they are. */
export type NewContract = {
  organisation: string;
  startsOn: string;
  endsOn?: string;
  seats?: string;
  seatKind: 'person' | 'course';
  seatPrice?: string;
  isSelfService: 'yes' | 'no';
  kind: 'percent' | 'amount' | 'price';
  value: string;
  hasAllCourses: 'yes' | 'no';
  products?: string;
  isRestricted: 'yes' | 'no';
  joinPolicy: 'invitation' | 'code' | 'domain';
  joiningGivesSeat?: 'yes' | 'no';
  startDays: string;
  idleDays: string;
  freesCompleted: 'yes' | 'no';
  showsNames: 'yes' | 'no';
  reason?: string;
};

/** A coupon with a chosen code. The form has the fields of the last base first. */
export type NewCoupon = {
  code: string;
  kind: 'percent' | 'amount';
  value: string;
  oncePerOrder?: boolean;
  minimum?: string;
  appliesTo?: string;
  products?: string[];
  startsAt?: string | null;
  endsAt?: string | null;
  totalLimit?: number | null;
  learnerLimit?: number | null;
  organisation?: string;
  campaign?: string;
  isSpecial?: boolean;
  isDraft?: boolean;
  reason?: string;
};

/** As many coupons of the same terms. `prefix`: with which each code begins. */
export type NewCouponBatch = {
  number: number;
  prefix?: string;
  kind: 'percent' | 'amount';
  value: string;
  oncePerOrder?: boolean;
  minimum?: string;
  appliesTo?: string;
  products?: string[];
  startsAt?: string | null;
  endsAt?: string | null;
  totalLimit?: number | null;
  learnerLimit?: number | null;
  organisation?: string;
  campaign?: string;
  isSpecial?: boolean;
  isDraft?: boolean;
  reason?: string;
};

export type NewCouponProps = {
  title: string;
  backHref: string;
  backText: string;
  form: Action;
};

export type NewCourse = {
  name: string;
  category: string;
};

/**
 * Amounts in minor units of the shop's currency, days of delivery in working days. `countries`: of a new zone, by
 * their codes, areas as AT-7; none for a zone that is there. `toGrams` null: any weight; `freeFrom` null: it always
 * costs. `startsOn` "": today; `endsOn` "": no end.
 */
export type NewDeliveryRate = {
  zone: string;
  countries?: string[];
  service: string;
  fromGrams?: number;
  toGrams?: number | null;
  price: number;
  freeFrom?: number | null;
  daysMin: number;
  daysMax: number;
  startsOn?: string;
  endsOn?: string;
  reason?: string;
};

export type NewDomain = {
  domain: string;
};

/** `course`: a slug. `unitPrice`: of a seat, as agreed. */
export type NewQuote = {
  organisation: string;
  course: string;
  quantity: string;
  unitPrice: string;
  termDays: string;
  billing?: BillingAddress;
};

/** `sku`: its stock number. */
export type NewShopItem = {
  name: string;
  itemKind: 'book' | 'voucher' | 'bundle' | 'physical';
  category: string;
  sku: string;
};

export type NewStaff = {
  studentNumber: string;
  role: string;
  reason: string;
};

export type NewStaffProps = {
  title: string;
  backHref: string;
  form: Action;
};

/** Days are ISO 8601, the last one is included; `startsOn` "": today; `endsOn` "": no end. */
export type NewTaxRate = {
  country: string;
  region?: string;
  postalFrom?: string;
  postalTo?: string;
  taxClass: 'service' | 'ebook' | 'book' | 'voucher' | 'goods' | 'delivery';
  label: string;
  percent: string;
  replaces?: boolean;
  startsOn?: string;
  endsOn?: string;
  reason?: string;
};

/** `pairs`: of blocks of `blockHours` hours, in one of which the offer is shown. */
export type NewTrial = {
  startsAt: string;
  blockHours?: '6' | '12' | '24';
  pairs?: number;
  reason?: string;
};

/** A course of the catalogue that the learner does not have. */
export type NotOwnedView = {
  view?: 'not-owned';
  course: CourseRef;
  subtitle: string;
  isSold: boolean;
};

export type NoteArrival = {
  parcel?: string | null;
};

/**
 * `learnerId`: who wrote it, which may wait in a browser until somebody else is signed in there. `version`: the one
 * that the text was made from.
 */
export type NoteDraft = {
  learnerId: number | string;
  body: string;
  version: number;
};

/** All notes of the learner, the newest first, 24 a page. */
export type NotesView = {
  view?: 'notes';
  notes: NoteInList[];
  page: number;
  pages: number;
};

/** `key`: `paymentKey` of the order. */
export type OrderKey = {
  key: string;
};

/** The newest first. `pages` is at least 1; beyond the last page `orders` is empty. */
export type OrderList = {
  orders: OrderSummary[];
  page: number;
  pages: number;
};

/** `names`: of its products. */
export type OrderSummary = {
  code: string;
  placedAt: string;
  state: 'placed' | 'processing' | 'paid' | 'expired' | 'cancelled' | 'refunded';
  stateText: string;
  total: number;
  currency: string;
  names: string[];
};

/** `order`: of the learner who is signed in. */
export type OrderPageProps = {
  title: string;
  html: string;
  order: Order;
};

/** `redirect`: the hosted page of the payment, or the order's own page that says how to go on. */
export type OrderRedirect = {
  redirect: string;
};

/** All orders of the learner, 24 a page. */
export type OrdersView = {
  view?: 'orders';
  orders: DashboardOrder[];
  page: number;
  pages: number;
};

/**
 * `heading` "" without any application. `next`: what happens next, in words. `others`: all applications, where
 * there are several. `actions`: answering. `again`: values to apply again with; null: not now.
 */
export type OrganisationApplicationProps = {
  title: string;
  heading: string;
  stateText: string;
  stateTone: 'neutral' | 'info' | 'good' | 'warning' | 'bad';
  next: string;
  facts: Fact[];
  thread: ThreadEntry[];
  others: OwnApplicationLink[];
  actions: Action[];
  applicationId: number;
  again: ApplicationValues | null;
};

/** `author` None: a deleted account. */
export type ThreadEntry = {
  id: string;
  author: string;
  sentAt: string;
  isStaff: boolean;
  text: string;
};

export type OwnApplicationLink = {
  name: string;
  href: string;
  state: string;
  isCurrent: boolean;
};

export type OrganisationChoice = {
  slug: string;
};

/**
 * `organisations`: those that the person manages; `current`: the slug of the chosen one. `target`: the page that a
 * choice leads to.
 */
export type OrganisationChoiceProps = {
  title: string;
  organisations: ManagedOrganisation[];
  current: string | null;
  target: string;
};

/**
 * `contracts`: those that run now. `seats`: how they are used, `forecast`: how many will stand idle, in sentences,
 * none without a seat in use, `waiting`: what waits for somebody, in words.
 */
export type OrganisationHomeProps = {
  title: string;
  heading: string;
  facts: Fact[];
  seats: Fact[];
  forecast: string[];
  waiting: WaitingWork[];
  contracts: ShortTable;
};

export type OrganisationName = {
  name: string;
};

export type OrganisationPeopleProps = {
  title: string;
  heading: string;
  backHref: string;
  backText: string;
  tabs: OrganisationTab[];
  table: TableProps;
};

/**
 * `logo`: a path on this site, "" without one. `partnerLink`: for others; with `preview`, what it leads to.
 */
export type OrganisationProfileProps = {
  title: string;
  heading: string;
  backHref: string;
  backText: string;
  facts: Fact[];
  groups?: FactGroup[];
  tables: ShortTable[];
  texts: TextPart[];
  actions: Action[];
  logo: string;
  name: string;
  partnerLink: string;
  isShopRestricted: boolean;
};

export type OrganisationRef = {
  slug: string;
  name: string;
};

/** `open`: an application of the person that is not approved; null without one. */
export type OrganisationRegisterProps = {
  title: string;
  email: string;
  isVerified: boolean;
  open: OwnApplication | null;
};

export type OwnApplication = {
  name: string;
  href: string;
};

/** The outcome of a valid request; `message` is shown to the visitor, "" on success. */
export type OutcomeSchema = {
  status: 'success' | 'failed';
  message: string;
};

/** `packageId`: of the upload from which the lessons with `contents` come; null without any. */
export type OutlineChange = {
  sections: OutlineSectionDraft[];
  rule: OutlineRuleDraft;
  version: number;
  packageId?: number | string | null;
};

export type OutlineSectionDraft = {
  title: string;
  lessons: OutlineLessonDraft[];
};

/**
 * `id` null: a new one. `contents` null: what is stored stays, and a new lesson begins as a study sheet.
 */
export type OutlineLessonDraft = {
  id: number | string | null;
  title: string;
  minutes: number;
  isRequired: boolean;
  isPreview: boolean;
  contents?: PackagedContents | null;
};

/**
 * What a lesson teaches is that of a lesson of the package: `ref` as reading the package names it. `kind`: for the
 * preview alone; the package decides.
 */
export type PackagedContents = {
  ref: string;
  kind: 'text' | 'video' | 'quiz' | 'file';
};

/**
 * When the course is completed. `passMark` and `requiredPercent` in percent; `validMonths` null: no end.
 */
export type OutlineRuleDraft = {
  requiredPercent: number;
  quizzes: 'passed' | 'attempted' | 'none';
  passMark: number;
  hasCertificate: boolean;
  validMonths: number | null;
};

export type OutlineDraft = {
  sections: OutlineSectionDraft[];
  rule: OutlineRuleDraft;
};

/**
 * What saving would do. `rule`: in words. `owners`: learners who have the course; `completed`: those who have
 * completed it. `completing`: how many more would; `isAll` false: at least so many.
 */
export type OutlinePreview = {
  rule: string;
  lessons: number;
  minutes: number;
  owners: number;
  completed: number;
  completing: number;
  isAll: boolean;
};

export type OwnDomain = {
  domain: string;
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

/**
 * `now`: the server's time. `areas`: those that the learner may sign in to. `organisation`: the one that was chosen
 * in the area of organisations. `owned`: ids of products.
 */
export type SessionInfo = {
  learner: CurrentLearner;
  expiresAt: string;
  now: string;
  areas: ('learner' | 'organisation' | 'admin')[];
  organisations: OrganisationRef[];
  organisation: OrganisationRef | null;
  owned: number[];
};

/**
 * `successor`: the slug of another published product, null: it stays. `reason`: for the record, "" for auto.
 */
export type PageDecision = {
  version: number;
  choice: 'auto' | 'landing' | 'redirect' | 'gone';
  successor?: string | null;
  reason?: string;
};

/** The page has moved to another address. */
export type PageRedirect = {
  location: string;
};

/**
 * A figure of the newest month: `value` in words, `change` why it is not shown, `meaning` and `example` behind its
 * question mark. As the figures of a report of staff, which the same component shows.
 */
export type PartnerFigure = {
  key: string;
  label: string;
  value: string;
  change: string;
  range: string;
  meaning: string;
  example: string;
};

/**
 * `link`: the address to share. `month`: the newest one in words, "" while there is none: then the other parts are
 * empty. `chart`: null without months.
 */
export type PartnerLinkReport = {
  link: string;
  month: string;
  note: string;
  figures: PartnerFigure[];
  chart: ChartProps | null;
  table: ShortTable;
  csvHref: string | null;
};

export type Password = {
  status: 'NOT_ENROLLED' | 'ACTIVE';
  lastUpdated: string | null;
};

/** `contracts`: that people may join through. `job`: the one of the address; null without one. */
export type PeopleFileProps = {
  title: string;
  contracts: ActionOption[];
  maxRows: number;
  job: PeopleFileStatus | null;
};

/**
 * `processed` of `total` rows, `rate` of them a second; null before they are known. `good`: rows that can be
 * sent, or were; `bad`: those that are left out, of which `findings` names the first.
 */
export type PeopleFileStatus = {
  id: number;
  name: string;
  uploadId: number;
  contractId: string;
  isCheck: boolean;
  state: 'queued' | 'running' | 'done' | 'failed' | 'stopped';
  processed: number;
  total: number | null;
  rate: number | null;
  good: number;
  bad: number;
  findings: PeopleFinding[];
  error: string | null;
};

/** `line`: of the file. */
export type PeopleFinding = {
  line: number;
  text: string;
};

/**
 * `isCheck`: nothing is sent. `contractId` "": the newest contract that runs. The same `idempotencyKey` starts
 * nothing again.
 */
export type PeopleFileRequest = {
  uploadId: number | string;
  contractId?: string;
  isCheck: boolean;
  idempotencyKey: string;
};

export type PhoneNumber = {
  number: string;
  method?: 'SMS' | 'CALL';
};

export type Phones = {
  phones: Phone[];
};

/** `value`: as calls take it. `detail` may be "". */
export type PickedOption = {
  value: string;
  text: string;
  detail: string;
};

export type PickedOptions = {
  options: PickedOption[];
};

/** `value`: as calls take it. `detail` may be "". */
export type PickerOption = {
  value: string;
  text: string;
  detail: string;
};

export type PickerOptions = {
  options: PickerOption[];
};

/** The step of a registration, counted from 1, of how many. */
export type Place = {
  step: number;
  of: number;
};

export type Poll = {
  everyMs: number;
};

/** `version`: the number of the preview that was looked at. */
export type PreviewedPrices = {
  version: number;
};

/** `version`: of the product, to send with the next change. */
export type PriceSaved = {
  text: string;
  href: string | null;
  version: number;
};

/** Amounts in minor units. `startsAt` null: at once; `endsAt`: of the sale, null: it stays. */
export type PriceSetting = {
  version: number;
  listPrice: number;
  salePrice?: number | null;
  startsAt?: string | null;
  endsAt?: string | null;
  reason?: string;
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
  /** A new key for the form, of calls of the checkout. */
  key?: string;
  checkout?: Checkout;
};

export type ProceedFlow = {
  step: string;
  values: {
    [k: string]: string | boolean;
  };
};

export type ProductImage = {
  imageId: number | string;
  alt: string;
};

/** `isGenerated`: the shop made the picture of the name and the category. */
export type ProductImageProps = {
  title: string;
  frame: CourseFrame;
  picture: Picture;
  isGenerated: boolean;
  mayEdit: boolean;
};

/** `id`: of the product. */
export type ProductImageSet = {
  id: number;
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
 * whose accounts cannot be changed here; null: the page asks the provider's MyAccount API. `access`: where the learner
 * allows that at the provider; null: this sign-in may. `studentNumber`: what staff and organisations ask for.
 * `hasKnownAddress`: the next checkout begins with the addresses of the last order.
 */
export type ProfileProps = {
  title: string;
  studentNumber: string;
  account: ProviderAccountProps | null;
  access: string | null;
  sessions: SignInProps[];
  hasKnownAddress: boolean;
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

/**
 * What is stored now, of the lessons that were changed and their courses. `refused`: the lessons of changes that
 * were left out, because they came about without access.
 */
export type ProgressAnswer = {
  lessons: LessonProgressState[];
  courses: CourseProgressState[];
  refused: number[];
};

/**
 * `learnerId`: who made the changes, which may wait in a browser until somebody else is signed in there.
 */
export type ProgressChanges = {
  learnerId: number | string;
  changes: LessonChange[];
};

export type Question = {
  text: string;
};

/** Questions as they are edited, and answers: ids of options, or a number as text. */
export type QuizTrial = {
  questions: LessonQuestion[];
  answers: {
    [k: string]: string[] | string;
  };
};

/**
 * `totalMinor`: the total that the form showed. `terms`: the date of the accepted policy. `showsNames` and
 * `joiningGivesSeat`: of the contract that comes with first seats.
 */
export type QuoteAcceptance = {
  totalMinor: string;
  payment?: 'card' | 'transfer';
  purchaseOrder?: string;
  showsNames?: 'yes' | 'no';
  joiningGivesSeat?: 'yes' | 'no';
  terms: string;
};

/** Why it ends. */
export type QuoteEnd = {
  reason?: string;
};

/** `beside`: asking again, of a quote that cannot be accepted; null: nothing. */
export type QuotePageProps = {
  title: string;
  heading: string;
  backHref: string;
  backText: string;
  facts: Fact[];
  groups?: FactGroup[];
  tables: ShortTable[];
  texts: TextPart[];
  actions: Action[];
  beside: EmptyAction | null;
};

/** Seats of a course, or of a contract: one of both is named. */
export type QuoteRequest = {
  course?: string;
  contract?: string;
  quantity: string;
  billing?: BillingAddress;
};

/** A withdrawal needs no words. */
export type QuoteWithdrawal = Record<string, never>;

/** `endsOn`: the last day, "" for no end. */
export type RateEnd = {
  endsOn?: string;
  reason?: string;
};

export type RateWithdrawal = {
  reason?: string;
};

/** The address that the browser loads next. */
export type RedirectTo = {
  redirect: string;
};

/** `number`: of the order's line. */
export type RefundChoice = {
  number: number;
  quantity: number;
};

/** `message`: what happens next. `order`: as it is now. */
export type RefundOutcome = {
  status: 'approved' | 'requested';
  message: string;
  order: Order;
};

/**
 * `key`: that of the order's refund form; the same one again changes nothing. `confirm`: what is confirmed.
 */
export type RefundQuestion = {
  key: string;
  lines: RefundChoice[];
  confirm?: ('deleted' | 'returned')[];
  note?: string;
};

export type Refusal = {
  text: string;
};

export type RefuseChange = {
  answer: string;
};

export type RenderedLesson = {
  html: string;
};

export type ReportChoice = {
  value: string;
  label: string;
};

/** A choice of the form above a report. */
export type ReportField = {
  name: string;
  label: string;
  value: string;
  options: ReportChoice[];
};

/**
 * `value` in words. `change`: against the period before; `range`: between how many it is; both "" without one.
 */
export type ReportFigure = {
  key: string;
  label: string;
  value: string;
  change: string;
  range: string;
  meaning: string;
  example: string;
};

/**
 * `since`, `until` and `today` are days; the first two "" of a report without a period. `hidden`: what else the
 * address holds. `saveHref`: the page on which all of it is saved under a name.
 */
export type ReportForm = {
  path: string;
  since: string;
  until: string;
  today: string;
  fields: ReportField[];
  hidden: HiddenValue[];
  saveHref: string;
};

export type ReportLink = {
  text: string;
  href: string;
  isCurrent: boolean;
};

/** Reports about one subject. */
export type ReportLinkGroup = {
  title: string;
  links: ReportLink[];
};

/** How many days have been computed, in words. `isBlank`: there is nothing beside it yet. */
export type ReportProgressProps = {
  title: string;
  text: string;
  advice: string;
  isBlank: boolean;
};

/**
 * `csvHref`: the figures as a file, null while there are none. `note`: how to read them. `pages`: of the members
 * who agreed to be named. `partnerLink`: what it brought.
 */
export type ReportProps = {
  title: string;
  heading: string;
  backHref: string;
  backText: string;
  facts: Fact[];
  groups?: FactGroup[];
  tables: ShortTable[];
  csvHref: string | null;
  note: string;
  partnerLink: PartnerLinkReport;
  pages: PageLinks;
};

export type ReportReply = {
  report: string;
  from: string;
  to: string;
  zone: string;
  by: string;
  builtAt: string | null;
  isUnfinished: boolean;
  totals: {
    [k: string]: number | null;
  };
  previous: {
    [k: string]: number | null;
  } | null;
  range: SessionsRange | null;
  leftOut: LeftOutVisits;
  series: SeriesPoint[];
  rows: ReportRowReply[];
  more: boolean;
  notes: string[];
  currency: string | null;
  progress: DaysComputed | null;
};

/** How many sessions of people there were at least and at most. */
export type SessionsRange = {
  low: number;
  high: number;
};

/** `at`: a day, or an hour in UTC. `figures` null: nothing was counted then. */
export type SeriesPoint = {
  at: string;
  figures: {
    [k: string]: number | null;
  } | null;
  previous: {
    [k: string]: number | null;
  } | null;
};

/** `words`: texts beside the figures, by their key. */
export type ReportRowReply = {
  key: string;
  label: string;
  figures: {
    [k: string]: number | null;
  };
  previous: {
    [k: string]: number | null;
  } | null;
  words: {
    [k: string]: string;
  };
};

export type RestoreTest = {
  reason: string;
};

/** `sees`: the courses of the contract alone, or everything. `membership`: its number. */
export type RestrictMember = {
  membership: string;
  sees: 'contract' | 'everything';
  reason: string;
};

/** `visits`: of people to its page, by month. */
export type RetiredProductProps = {
  title: string;
  heading: string;
  backHref: string;
  backText: string;
  facts: Fact[];
  groups?: FactGroup[];
  tables: ShortTable[];
  texts: TextPart[];
  actions: Action[];
  visits: ChartProps;
};

export type ReviewHiding = {
  reason: string;
};

/** `reason` may be empty. */
export type ReviewReport = {
  reason?: string;
};

/** `rating`: 1-5 stars. `title` and `text` are plain and may be empty. */
export type ReviewText = {
  rating: number;
  title?: string;
  text?: string;
};

/** `why`: what its public page says. */
export type RevokeCertificate = {
  certificate: string;
  why: 'fraud' | 'holder';
  reason: string;
};

export type RoleToGive = {
  role: string;
  reason: string;
};

export type RoleToTake = {
  role: string;
  reason: string;
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

/**
 * `weeks`: the newest first. `csvHref`: all searches of the week as a file, null while none are listed. `others`: a
 * link to those that are dismissed, or that are not. `report`: a link to what came of all searches, null for whoever
 * may not read reports. `actions`: about the search that was chosen.
 */
export type SearchesProps = {
  title: string;
  csvHref: string | null;
  weeks: WeekLink[];
  others: WeekLink;
  report: WeekLink | null;
  actions: Action[];
  chart: ChartProps;
  table: ShortTable;
};

export type WeekLink = {
  text: string;
  href: string;
  isCurrent: boolean;
};

/**
 * `contract`: its number, as the form's choice sends it. `course`: a slug, "" for a seat of a person alone.
 */
export type SeatAssignment = {
  contract: string;
  email: string;
  course?: string;
};

/**
 * `sentences`: the result, the first one whole. `reckoned`: how, null without seats in use. `courses`: numbers by
 * contract and course, `seats`: those of which it is expected.
 */
export type SeatForecast = {
  sentences: string[];
  reckoned: string | null;
  courses: ShortTable;
  seats: ShortTable;
};

/** `text`: what was done, in words. */
export type SeatOutcome = {
  text: string;
};

/** 0 days end a pause. */
export type SeatPause = {
  days: number;
};

/** More seats of a contract. */
export type SeatPurchase = {
  key: string;
  unitMinor: string;
  quantity: string;
  payment?: 'card' | 'transfer';
  billing?: BillingAddress;
  terms: string;
  contract: string;
};

export type SeatReason = {
  reason: string;
};

/**
 * `waiting`: members without a seat, in their turn. `actions`: [] without a contract that runs. `mayBuy`: whether
 * this person buys for the organisation.
 */
export type SeatsPageProps = {
  title: string;
  table: TableProps;
  links?: EmptyAction[];
  forecast: SeatForecast;
  waiting: ShortTable;
  actions: Action[];
  mayBuy: boolean;
};

export type SeenPrice = {
  id: number | string;
  price: number;
};

export type SeenPrices = {
  lines: SeenPrice[];
};

/** `units`: by the numbers of the lines; {}: all goods that are left to send. */
export type SendParcel = {
  units?: {
    [k: string]: number;
  };
  carrier?: string;
  tracking?: string;
};

export type SentFile = {
  uploadId: number | string;
};

export type SentPackage = {
  uploadId: number | string;
};

export type SettleRefund = {
  proof: string;
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

export type ShownQuery = {
  query: string;
};

export type SignOut = {
  reason: string;
};

/** `passwordExpiresSoon`: to be said before the browser goes on. */
export type SignedIn = {
  redirect: string;
  passwordExpiresSoon: boolean;
};

export type SiteLink = {
  href: string;
  text: string;
};

/**
 * What pages show of the site, for every visitor alike but `scope`. `forms`: how `locale` writes numbers and days.
 * `api`: base address of the calls (setting API_BASE). `cookieMinutes`: how long cookies live that scripts set.
 * `legal`: the pages of `content.LEGAL` that the shop has written, and in the Union the way to withdraw.
 */
export type SiteProps = {
  name: string;
  tagline: string;
  origin: string;
  currency: CurrencyProps;
  locale: string;
  forms: LocaleForms;
  logo: string;
  email: string;
  year: number;
  build: string;
  api: string;
  cookieMinutes: number;
  categories: CategoryRef[];
  legal: SiteLink[];
  scope?: SiteScope;
};

/** Whose courses a restricted visitor sees, in words; the organisation's `logo`, "" for none. */
export type SiteScope = {
  text: string;
  logo: string;
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

/** `changed` false: it was so before. */
export type StaffChanged = {
  text: string;
  href: string | null;
  undo: Undo | null;
  learnerId: number;
  changed: boolean;
};

/** The call, below /api, that takes a change back. */
export type Undo = {
  call: string;
  body: {
    [k: string]: unknown;
  };
};

/** `note`: why this person can change nothing here, "" when they can. */
export type StaffMemberProps = {
  title: string;
  heading: string;
  backHref: string;
  backText: string;
  facts: Fact[];
  groups?: FactGroup[];
  tables: ShortTable[];
  texts: TextPart[];
  actions: Action[];
  note: string;
};

/** `text`: what was done, in words. `href`: the page after it, null: none in particular. */
export type StaffOutcome = {
  text: string;
  href: string | null;
};

/** `token` of a mail link: recovery, unlocking or activation. `username` only prefills the field. */
export type StartFlow = {
  flow: 'authenticate' | 'register' | 'recoverPassword' | 'unlockAccount';
  returnTo?: string;
  area?: 'learner' | 'organisation' | 'admin';
  username?: string;
  token?: string;
};

/** `isCheck`: nothing is booked. The same `idempotencyKey` starts nothing again. */
export type StatementRequest = {
  uploadId: number | string;
  isCheck: boolean;
  idempotencyKey: string;
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

/** `href`: the page of the application. */
export type StoredApplication = {
  id: number;
  href: string;
};

export type StoredFile = {
  sha256: string;
  name: string;
  mediaType: string;
  bytes: number;
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

/**
 * The specification's payload. Unknown keys are ignored; a `Url` that is too long is truncated; LoginEmail is not
 * stored. The bodies that our browser sends are read by `fast_path`, in the same way.
 */
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
  /** "first" of the first visit of a document, else absent */
  Load?: string | number | null;
};

/** `place`: of a step that a new account must take; null for the others. */
export type Transaction = {
  status: 'PENDING' | 'SUCCESS' | 'TERMINAL' | 'CANCELED';
  flow: 'authenticate' | 'register' | 'recoverPassword' | 'unlockAccount';
  area: 'learner' | 'organisation' | 'admin';
  returnTo: string;
  username: string | null;
  place: Place | null;
  steps: Step[];
  messages: FlowMessage[];
  canCancel: boolean;
  canResend: boolean;
  redirect: string | null;
  stepUp: boolean;
  retryAfterMs: number | null;
  expiresAt: string;
};

export type TrialReason = {
  reason: string;
};

/** Terms of a coupon that there need not be. */
export type TriedCoupon = {
  kind: 'percent' | 'amount';
  value: string;
  oncePerOrder?: boolean;
  minimum?: string;
  appliesTo?: string;
  products?: string[];
};

/** `mark` per mille. `right`: ids of options, or the number. */
export type TriedQuestion = {
  id: string;
  mark: number;
  right: string[] | string;
  explanation: string;
};

/** `percent`: rounded down. */
export type TriedQuiz = {
  percent: number;
  questions: TriedQuestion[];
};

/** `undo`: offered for ten seconds. */
export type UndoableOutcome = {
  text: string;
  href: string | null;
  undo: Undo | null;
};

/**
 * `partBytes`: the size of every part but the last. `missing`: numbers of parts that are not there yet, from 0.
 */
export type Upload = {
  id: number;
  name: string;
  bytes: number;
  purpose: 'import' | 'image' | 'lesson' | 'members' | 'logo' | 'statement';
  partBytes: number;
  missing: number[];
  isComplete: boolean;
  expiresAt: string;
};

/** `bytes`: the size of the whole file. */
export type UploadRequest = {
  name: string;
  bytes: number;
  purpose: 'import' | 'image' | 'lesson' | 'members' | 'logo' | 'statement';
};

export type UseVoucher = {
  voucher: string;
};

/** `styleHref`: the page's own style sheet, which client navigation loads before it shows the page. */
export type UserDashboardProps = {
  title: string;
  html: string;
  styleHref: string;
  learning:
    | DashboardView
    | CoursesView
    | OrdersView
    | MaterialsView
    | CertificatesView
    | NotesView
    | CourseView
    | CourseEndView
    | LessonView
    | MissingLessonView
    | NotOwnedView
    | AccessOverView;
};

/** First name and initial; "" for an unknown number. */
export type Username = {
  Status: 'success';
  Username: string;
};

export type ViewChange = {
  name: string;
  isShared?: boolean;
};

/**
 * `query`: as in the address of the report. `period` fixed: always the days of `query`, if the report has any.
 */
export type ViewToSave = {
  name: string;
  report: string;
  query?: string;
  period?: string;
  isShared?: boolean;
  frequency?: 'never' | 'week' | 'month';
  hour?: number;
};

export type VisitAccepted = {
  Status: string;
  EventID: string;
};

/**
 * `form`: null where there is nothing to choose. `ignored`: parameters of the address that were not understood.
 * `columns`: what those figures of the rows mean that are not in `figures`. `empty`: why there is nothing, else "".
 * `csvHref`, `parquetHref`: all rows as a file, null without any. `builtAt`: when the figures were last computed.
 * `progress`: while days that the report reads are still to be computed. `refreshS`: after so many seconds the page
 * loads itself again.
 */
export type VisitReportProps = {
  title: string;
  heading: string;
  about: string;
  reports: ReportLinkGroup[];
  presets: ReportLink[];
  form: ReportForm | null;
  ignored: string[];
  chosen: ChosenValues | null;
  figures: ReportFigure[];
  chart: ChartProps;
  levels: ReportLink[];
  table: ShortTable;
  columns: ColumnMeaning[];
  pages: PageLinks;
  csvHref: string | null;
  parquetHref: string | null;
  empty: string;
  notes: string[];
  builtAt?: string;
  progress?: ReportProgressProps;
  refreshS?: number;
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
  lowestBefore: number | null;
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

/** `errors`: by field, those of the whole form under `form`. */
export type WithdrawProps = {
  title: string;
  step: 'enter' | 'confirm' | 'sent';
  values: WithdrawValues;
  errors: {
    [k: string]: string;
  };
};

export type WithdrawValues = {
  order: string;
  email: string;
};

/** `countries`: all places of the zone from now on, by their codes. */
export type ZonePlaces = {
  countries: string[];
  reason?: string;
};
