import { readFile } from 'node:fs/promises';
import Link from 'next/link';
import { Catalogue } from './Catalogue';
import { Hydrated } from './Interactive';

export const dynamic = 'force-dynamic';

// biome-ignore lint/style/noDefaultExport: Next looks for it
export default async function Page() {
  const { data, site } = JSON.parse(await readFile('page.json', 'utf8'));
  return (
    <>
      <Catalogue data={data} site={site} Link={Link} />
      <Hydrated />
    </>
  );
}
