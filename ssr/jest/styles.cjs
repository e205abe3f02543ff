/** A style sheet in tests: its text does not matter, that it is handed on does. */
module.exports = { __esModule: true, default: '/* styles */' };
