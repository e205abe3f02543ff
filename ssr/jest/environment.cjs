const { TestEnvironment } = require('jest-environment-jsdom');

// jsdom 26 lacks these globals, or has its own that Node's fetch rejects. React Router reads some when imported.
const FROM_NODE = [
  ...['TextEncoder', 'TextDecoder', 'fetch', 'Request', 'Response', 'Headers', 'structuredClone'],
  ...['ReadableStream', 'WritableStream', 'TransformStream', 'AbortController', 'AbortSignal'],
];

/** Lets jsdom 26, which does not know <search>, report it as an HTMLElement: React warns of unknown elements. */
function defineSearch(Unknown) {
  Object.defineProperty(Unknown.prototype, Symbol.toStringTag, {
    get() {
      return this.localName === 'search' ? 'HTMLElement' : 'HTMLUnknownElement';
    },
  });
}

/** jsdom's document with Node's implementations of the web APIs above. */
class BrowserEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    for (const name of FROM_NODE) this.global[name] = globalThis[name];
    defineSearch(this.global.HTMLUnknownElement);
  }
}

module.exports = BrowserEnvironment;
