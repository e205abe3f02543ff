import { type ComponentType, type MouseEvent, useState } from 'react';
import { reloadOnce } from '../browser/reload';
import { AccountLink } from '../ui/AccountLink';
import { Icon } from '../ui/Icon';

const loadMenu = () => import('./AccountMenu');

/** Signs in, or opens the account's menu. Both words take the same room, so nothing moves when it is known which. */
export function AccountButton() {
  const [Menu, setMenu] = useState<ComponentType<{ onClose: () => void }> | null>(null);

  function open(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (Menu) setMenu(null);
    else loadMenu().then(({ AccountMenu }) => setMenu(() => AccountMenu), onChunkMissing);
  }

  return (
    <div className="account-corner">
      <AccountLink
        className="own-link"
        onOpen={open}
        draw={(word) => (
          <>
            <Icon name="person" />
            <span className="own-link__word own-link__word--account">{word}</span>
          </>
        )}
      />
      {Menu && <Menu onClose={() => setMenu(null)} />}
    </div>
  );
}

/** Most likely a newer build took its place; the page then loads anew, and its menu is there. */
function onChunkMissing(cause: unknown): void {
  if (!reloadOnce()) throw cause;
}
