const { TestEnvironment } = require('jest-environment-jsdom');

// jsdom 26 has no such globals, or its own that Node's fetch refuses. React Router asks for some at import.
const FROM_NODE = [
  ...['TextEncoder', 'TextDecoder', 'fetch', 'Request', 'Response', 'Headers', 'structuredClone'],
  ...['ReadableStream', 'WritableStream', 'TransformStream', 'AbortController', 'AbortSignal'],
];

/** <search> is younger than jsdom 26, and React warns of elements that the document does not know. */
function knowSearch(Unknown) {
  Object.defineProperty(Unknown.prototype, Symbol.toStringTag, {
    get() {
      return this.localName === 'search' ? 'HTMLElement' : 'HTMLUnknownElement';
    },
  });
}

/** A browser's document with Node's web standards. */
class BrowserEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    for (const name of FROM_NODE) this.global[name] = globalThis[name];
    knowSearch(this.global.HTMLUnknownElement);
  }
}

module.exports = BrowserEnvironment;
