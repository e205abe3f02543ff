import type { UserDashboardProps } from '../../contracts/schema';
import { PrivateContent } from '../../layouts/PrivateContent';

export function UserDashboardPage({ title, styleHref, learning }: Partial<UserDashboardProps>) {
  return (
    <PrivateContent data={learning}>
      {(own) => (
        <>
          <link rel="stylesheet" href={styleHref} precedence="page" />
          <section className="learning" data-view={own.view}>
            <h1>{title}</h1>
          </section>
        </>
      )}
    </PrivateContent>
  );
}
