// With a one-time token, or with the code of a certificate or an order.
const SECRET_PAGES =
  /^(\/(?:(email-verify|forget-password)|verify-certificate|documents|order|completed))\/[^/?]+/i;
// The sign-in callback, the page that withdraws from an order, and areas, whose lists may be searched for people.
const WITHOUT_QUERY =
  /^\/(?:(?:logincallback|withdraw)\/?|(?:admin|organization|verify-certificate)(?:\/.*)?)$/i;

/** Path and query as a visit may name them: without tokens of mails, codes of certificates and orders, and what may name people. */
export function visitUrl(path: string, query: string): string {
  const clean = path.replace(SECRET_PAGES, (_, page, token) => `${page}/{${token ? 'token' : 'code'}}`);
  return WITHOUT_QUERY.test(clean) ? clean : clean + query;
}

// Scheme and host, then the path. An address with a user name does not match.
const REFERRER = /^((?:https?|android-app):\/\/[^/?#@]+)(\/[^?#]*)?(?:[?#]|$)/;
const MAX_PATH_LENGTH = 200;

/** Scheme, host and path of a page of another site; "" for a page of `origin` and for what is no address. */
export function outerReferrer(referrer: string, origin: string): string {
  const [, site, path = '/'] = REFERRER.exec(referrer) ?? [];
  return site && site !== origin ? site + cutPath(visitUrl(path, '')) : '';
}

/** The host removes email addresses and could not recognise half of one: its segment is left out. */
function cutPath(path: string): string {
  const cut = path.slice(0, MAX_PATH_LENGTH);
  return cut !== path && /@|%40/.test(path) ? cut.slice(0, cut.lastIndexOf('/') + 1) : cut;
}
