import { readFile } from 'node:fs/promises';

// biome-ignore lint/style/noDefaultExport: Next looks for it
export default async function Layout({ children }) {
  const { css, fonts, title } = JSON.parse(await readFile('page.json', 'utf8'));
  return (
    <html lang="en-US">
      <head>
        <title>{title}</title>
        <meta name="color-scheme" content="light dark" />
        {css.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        {fonts.map((href) => (
          <link key={href} rel="preload" href={href} as="font" type="font/woff2" crossOrigin="anonymous" />
        ))}
      </head>
      <body>{children}</body>
    </html>
  );
}
