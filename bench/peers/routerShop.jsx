import { readFile } from 'node:fs/promises';
import { Link, useLoaderData } from 'react-router';
import { Catalogue } from './Catalogue';
import { Hydrated } from './Interactive';

export async function loader() {
  const { data, site } = JSON.parse(await readFile('page.json', 'utf8'));
  return { data, site };
}

const RouterLink = ({ href, ...rest }) => <Link to={href} {...rest} />;

// biome-ignore lint/style/noDefaultExport: React Router looks for it
export default function Shop() {
  const { data, site } = useLoaderData();
  return (
    <>
      <Catalogue data={data} site={site} Link={RouterLink} />
      <Hydrated />
    </>
  );
}
