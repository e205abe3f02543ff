// Converts an OpenAPI document (standard input) to the TypeScript types of its schemas (standard output); see scripts/schema.
import { text } from 'node:stream/consumers';
import { compile } from 'json-schema-to-typescript';

const BANNER =
  '// Written by scripts/schema from the calls and page props of host/. Change them there, then run it again.';
// The root type, which only contains the others, and the comments that json-schema-to-typescript adds to each.
const ROOT = 'Schemas';
const ROOT_TYPE = /export interface Schemas \{[^}]*\}\n/;
const REFERRER = /(?:^ *\* *\n)?^ *\* This \w+ was referenced by .*\n *\* via the .*\n/gm;
const EMPTY_COMMENT = / *\/\*\*\n *\*\/\n/g;
const COMMENT_OF_ONE_LINE = /\/\*\*\n *\* (.{1,100})\n *\*\//g;
const EMPTY_TYPE = /export interface (\w+) \{\s*\}/g;
// Type aliases, because an interface is not assignable to Record<string, unknown>.
const INTERFACE = /export interface (\w+) \{/g;
const TYPE_AND_COMMENT = /(?:\/\*\*(?:[^*]|\*(?!\/))*\*\/\n)?export type /g;

/** The schema without titles, which would become types, and array lengths; with references that compile() resolves. */
function prepare(value) {
  if (Array.isArray(value)) return value.map(prepare);
  if (value === null || typeof value !== 'object') return value;
  const { $ref, ...members } = value;
  const entries = Object.entries(members).filter(
    ([name, member]) => typeof member === 'object' || !['title', 'maxItems', 'minItems'].includes(name),
  );
  const copy = Object.fromEntries(entries.map(([name, member]) => [name, prepare(member)]));
  return $ref ? { ...copy, $ref: $ref.replace('#/components/schemas/', '#/definitions/') } : copy;
}

const { components } = JSON.parse(await text(process.stdin));
const source = await compile({ definitions: prepare(components.schemas) }, ROOT, {
  additionalProperties: false,
  bannerComment: BANNER,
  format: false,
  unreachableDefinitions: true,
});
const output = source
  .replace(ROOT_TYPE, '')
  .replace(REFERRER, '')
  .replace(EMPTY_COMMENT, '')
  .replace(COMMENT_OF_ONE_LINE, '/** $1 */')
  .replace(EMPTY_TYPE, 'export type $1 = Record<string, never>;')
  .replace(INTERFACE, 'export type $1 = {')
  .replace(TYPE_AND_COMMENT, '\n$&');
process.stdout.write(output);
