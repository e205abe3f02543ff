import { readFile } from 'node:fs/promises';
import { Meta, Outlet, Scripts, ScrollRestoration, useLoaderData } from 'react-router';

export async function loader() {
  const { css, fonts, title } = JSON.parse(await readFile('page.json', 'utf8'));
  return { css, fonts, title };
}

// biome-ignore lint/style/noDefaultExport: React Router looks for it
export default function Root() {
  const { css, fonts, title } = useLoaderData();
  return (
    <html lang="en-US">
      <head>
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {css.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        {fonts.map((href) => (
          <link key={href} rel="preload" href={href} as="font" type="font/woff2" crossOrigin="anonymous" />
        ))}
        <Meta />
      </head>
      <body>
        <Outlet />
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}
