// Fails when browser code uses a web-platform feature that the oldest supported browsers lack (docs/decisions/0025).
// The types say which interface a member belongs to, MDN's data which version of a browser has it.
import { createRequire } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SyntaxKind } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';
import { browserFloor } from '../ssr/build/browsers.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const { api, javascript } = createRequire(import.meta.url)('@mdn/browser-compat-data');
const MDN_NAMES = { ios_saf: 'safari_ios' };
// Features that the code uses only where a browser has them.
const GUARDED = {
  'AbortSignal.timeout':
    'Chrome 103 to 123 have it with another name of the error, which components/api/client.ts knows',
  'BeforeUnloadEvent.returnValue':
    'Chrome 109 to 118 ask when it is set to any text; the data knows the version that also obeys preventDefault',
  'HTMLElement.hidePopover': 'closeAfterLink.ts asks for the method; without it the menu is always visible',
};
// Declarations of several interfaces; MDN lists their members with an interface that has them.
const MIXIN_OWNERS = ['Element', 'HTMLElement', 'Document', 'Window', 'Request', 'Navigator', 'Node'];
const TYPE_PARENTS = new Set([SyntaxKind.TypeReference, SyntaxKind.QualifiedName, SyntaxKind.TypeQuery]);

const isProduct = (name) =>
  /\/components\/.*\.tsx?$/.test(name) && !/\.test\.tsx?$|\/(?:fixtures|styleguide|contracts)\//.test(name);

/** MDN's record of `member` of `owner`, of `member` alone for a global; undefined for what is no platform feature. */
function compatOf(owner, member) {
  if (owner === '') return (api[member] ?? api.Window[member] ?? javascript.builtins[member])?.__compat;
  const name = owner.replace(/^Readonly|Constructor$/g, '');
  const features = [api[name], javascript.builtins[name], ...MIXIN_OWNERS.map((mixin) => api[mixin])];
  const feature = features.find((feature) => feature?.[member] ?? feature?.[`${member}_static`]);
  return (feature?.[member] ?? feature?.[`${member}_static`])?.__compat;
}

const numbers = (version) => version.replace('≤', '').split('.').map(Number);

function isAtMost(version, limit) {
  const [major = 0, minor = 0] = numbers(version);
  const [limitMajor = 0, limitMinor = 0] = numbers(limit);
  return major < limitMajor || (major === limitMajor && minor <= limitMinor);
}

/** The browsers of the floor that lack a feature, with the version that brought it. */
function lackingBrowsers(compat, floor) {
  return Object.entries(floor).flatMap(([browser, oldest]) => {
    const statement = [compat.support[MDN_NAMES[browser] ?? browser]].flat()[0];
    const added = statement?.flags ? false : statement?.version_added;
    if (typeof added === 'string' && added !== 'preview' && isAtMost(added, oldest)) return [];
    return [`${browser} ${oldest} (has it from ${added || 'no version'})`];
  });
}

/** Name of the interface or object around a declaration of the standard library, "" for a global. */
function ownerOf(declaration) {
  for (let node = declaration.parent; node; node = node.parent)
    if (node.kind === SyntaxKind.InterfaceDeclaration || node.kind === SyntaxKind.VariableDeclaration)
      return node.name.text;
  return '';
}

function identifiersOf(file) {
  const found = [];
  const visit = (node) => {
    if (node.kind === SyntaxKind.Identifier && !TYPE_PARENTS.has(node.parent.kind)) found.push(node);
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

/** Feature -> the files that use it, of all product code that browsers run. */
function usedFeatures(project) {
  const used = new Map();
  for (const name of project.program.getSourceFileNames().filter(isProduct)) {
    const identifiers = identifiersOf(project.program.getSourceFile(name));
    project.checker.getSymbolAtLocation(identifiers).forEach((symbol, index) => {
      const handle = symbol?.declarations.find(({ path }) => /\/lib\.[\w.]+\.d\.ts$/.test(path));
      if (!handle) return;
      const owner = ownerOf(handle.resolve(project));
      const feature = owner ? `${owner}.${identifiers[index].text}` : identifiers[index].text;
      used.set(feature, (used.get(feature) ?? new Set()).add(relative(ROOT, name)));
    });
  }
  return used;
}

function check(tsconfig) {
  const server = new API({ cwd: ROOT });
  try {
    const [project] = server.updateSnapshot({ openProjects: [tsconfig] }).getProjects();
    const floor = browserFloor(ROOT);
    const used = usedFeatures(project);
    const problems = [...used].flatMap(([feature, files]) => {
      const [owner, member] = feature.includes('.') ? feature.split('.') : ['', feature];
      const compat = compatOf(owner, member);
      const lacking = compat && !(feature in GUARDED) ? lackingBrowsers(compat, floor) : [];
      return lacking.length > 0
        ? [`${feature} in ${[...files].join(', ')}: not in ${lacking.join(', ')}`]
        : [];
    });
    return { count: used.size, problems };
  } finally {
    server.close();
  }
}

const { count, problems } = check(resolve(ROOT, 'tsconfig.json'));
if (count < 100)
  problems.push(`only ${count} platform features were found: does the check still read the types?`);
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exit(problems.length > 0 ? 1 : 0);
