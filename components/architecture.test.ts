/** @jest-environment node */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';

// The jest twin of tests/test_architecture.py: the arrows of the README's map, for TypeScript.
const ROOT = join(__dirname, '..');
const FAMILIES = [
  'account',
  'catalogue',
  'cart',
  'checkout',
  'identity',
  'learning',
  'admin',
  'organisation',
  'visits',
];
const BELOW = ['ui', 'api', 'browser'];
const MAY_IMPORT: Record<string, string[]> = {
  browser: ['api'],
  api: ['browser'],
  ui: ['api', 'browser'],
  ...Object.fromEntries(FAMILIES.map((family) => [family, BELOW])),
  layouts: [...FAMILIES, ...BELOW],
  pages: ['layouts', ...FAMILIES, ...BELOW],
};

type Source = { path: string; room: string; code: string };

function sources(folder: string): Source[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|mjs|cjs)$/.test(name) && !name.startsWith(`dist${sep}`))
    .map((name) => {
      const text = readFileSync(join(ROOT, folder, name), 'utf8');
      const room = name.includes(sep) ? (name.split(sep)[0] ?? '') : '';
      return { path: `${folder}/${name.split(sep).join('/')}`, room, code: withoutComments(text) };
    });
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

const isTest = ({ path }: Source) => /\.test\.tsx?$/.test(path) || path.endsWith('/factories.tsx');
const ALL = [...sources('components'), ...sources('ssr')];
const COMPONENTS = ALL.filter((one) => one.path.startsWith('components/') && !isTest(one));

/** Rooms of components/ that a file takes something from; '' for the files at its top. */
function imports({ path, code }: Source): string[] {
  const asked = [...code.matchAll(/(?:from|import\(|import)\s*'(\.[^']*)'/g)].map((match) => match[1] ?? '');
  // A style sheet that a chunk brings along is text, the tables shared with Python are data: neither is a room.
  const rooms = asked.filter((target) => !/\.css\?text$|\/(?:routes|texts)\.json$/.test(target));
  return rooms.map((target) => {
    const found = relative(join(ROOT, 'components'), join(ROOT, path, '..', target)).split(sep);
    return found.length > 1 ? (found[0] ?? '') : '';
  });
}

function offenders(pattern: RegExp, among: Source[] = COMPONENTS): string[] {
  return among.filter(({ code }) => pattern.test(code)).map(({ path }) => path);
}

test('there is something to look at', () => {
  expect(COMPONENTS.length).toBeGreaterThan(50);
});

test('families meet in pages and layouts, never in each other; what is below knows nothing of what is above', () => {
  const wrong = COMPONENTS.filter(({ room }) => room !== '').flatMap((one) =>
    imports(one)
      .filter((room) => room !== one.room && !MAY_IMPORT[one.room]?.includes(room))
      .map((room) => `${one.path} -> ${room || 'the top'}`),
  );
  expect(wrong).toEqual([]);
});

test('only components/browser names what only a browser has', () => {
  const outside = COMPONENTS.filter(({ room }) => room !== 'browser');
  const withoutTexts = outside.map((one) => ({ ...one, code: one.code.replace(/'[^'\n]*'/g, "''") }));
  expect(
    offenders(/\b(?:window|document|localStorage|sessionStorage|navigator|cookie)\b/, withoutTexts),
  ).toEqual([]);
});

test('wire names stop in components/api and components/browser', () => {
  const inside = ALL.filter((one) => !isTest(one) && !['api', 'browser'].includes(one.room));
  const names =
    /\b(?:AAUserID|Stunum|SpecialCouponID|CouponID|LoginEmail|EventID|SessionID|checkflag|DiscountPrice|orderDiscount\w*|orderQuantity|couponInfo|cart_products|userInfo)\b/;
  expect(offenders(names, inside)).toEqual([]);
});

test('what a browser keeps for us has its names in one file', () => {
  const names =
    /['"`](?:userInfo|IsRestrictedAccess|email_address|specialcoupon\w+|domainLogo|couponInfo|cart_products|session_id|saved_for_later|wishlist_products)['"`]/;
  expect(offenders(names)).toEqual(['components/browser/names.ts']);
});

test('only components/api fetches', () => {
  expect(offenders(/\bfetch\(|XMLHttpRequest|sendBeacon/)).toEqual(
    expect.arrayContaining(['components/api/client.ts']),
  );
  expect(
    offenders(/\bfetch\(|XMLHttpRequest|sendBeacon/).filter((path) => !path.startsWith('components/api/')),
  ).toEqual([]);
});

test('HTML as text has one door', () => {
  expect(offenders(/dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML|document\.write/)).toEqual([
    'components/ui/RichText.tsx',
  ]);
});

test('no style attribute: the policy refuses them', () => {
  expect(offenders(/\bstyle=/)).toEqual([]);
});

test('toasts are loaded when the first one is needed', () => {
  expect(offenders(/'react-toastify/)).toEqual(['components/ui/Toaster.tsx']);
  expect(offenders(/from '\.\.?\/(?:ui\/)?Toaster'/)).toEqual([]);
});

test('React server functions stay out', () => {
  expect(
    offenders(
      /react-server-dom|'use server'/,
      ALL.filter((one) => !isTest(one)),
    ),
  ).toEqual([]);
  expect(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).not.toContain('react-server-dom');
});

test('everything is exported by name', () => {
  // Build scripts write modules as text; what they export themselves is Biome's to see.
  const own = ALL.filter(({ path }) => path !== 'components/assets.d.ts' && !path.endsWith('.mjs'));
  expect(offenders(/^export default\b|^export \{[^}]*\bas default\b/m, own)).toEqual([]);
});

test('files are named for what they hold', () => {
  const named = ALL.map(({ path }) => path).filter((path) => /^(?:index|utils?)\./.test(basename(path)));
  expect(named).toEqual([]);
});
