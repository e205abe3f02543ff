import { SessionEndBar } from '../account/SessionEndBar';
import { State } from './guide/Guide';

/** The bar above a private page, in the last minutes of a sign-in and after it. */
export function SessionEndStates() {
  return (
    <>
      <State label="A sign-in that ends soon" ground="bare">
        <SessionEndBar isOver={false} expiresAt="2026-09-15T12:45:00Z" href="#account" />
      </State>
      <State label="A sign-in that has ended" ground="bare">
        <SessionEndBar isOver expiresAt="2026-09-15T12:45:00Z" href="#account" />
      </State>
    </>
  );
}
