/** The text of every style sheet in tests. */
module.exports = { __esModule: true, default: '/* styles */' };
