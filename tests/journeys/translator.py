"""A browser's page translator, which changes the document beside React. It leaves the words as they are."""

# Once the page has hydrated, each text is put into two nested <font> elements: moved there, replaced, or removed after
# they were put before it, in turns. So is each text that React adds or changes later.
TRANSLATOR = """(() => {
    const KEPT = 'script, style, noscript, textarea, select, svg, font';
    let count = 0;
    const translate = (text) => {
        if (!text.data.trim() || !text.isConnected || text.parentElement.closest(KEPT)) return;
        const outer = document.createElement('font');
        const inner = outer.appendChild(document.createElement('font'));
        const way = count++ % 3;
        if (way > 0) inner.append(text.data);
        if (way === 2) {
            text.before(outer);
            text.remove();
            return;
        }
        text.replaceWith(outer);
        if (way === 0) inner.append(text);
    };
    const translateIn = (node) => {
        if (node.nodeType === Node.TEXT_NODE) return translate(node);
        const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
        const texts = [];
        while (walker.nextNode()) texts.push(walker.currentNode);
        texts.forEach(translate);
    };
    const begin = () => {
        translateIn(document.body);
        new MutationObserver((records) => {
            for (const { type, target, addedNodes } of records) {
                if (type === 'characterData') translate(target);
                addedNodes.forEach(translateIn);
            }
        }).observe(document.body, { subtree: true, childList: true, characterData: true });
    };
    addEventListener('load', () => {
        const beginOnce = (_, observer) => {
            if (!document.documentElement.hasAttribute('data-hydrated')) return;
            observer.disconnect();
            begin();
        };
        const observer = new MutationObserver(beginOnce);
        observer.observe(document.documentElement, { attributes: true });
        beginOnce(null, observer);
    });
})()"""
# Whether a page has been translated.
IS_TRANSLATED = "document.querySelector('main font') !== null"
