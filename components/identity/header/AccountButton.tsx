import { type ComponentType, type MouseEvent, useState } from 'react';
import { Icon } from '../../ui/Icon';
import { loadOrReload } from '../../ui/loading/lazyModule';
import { AccountLink } from './AccountLink';

const loadMenu = () => import('./AccountMenu');

/**
 * Links to the sign-in, or opens the account's menu. Both labels take the same space, so nothing moves when the state
 * is known.
 */
export function AccountButton() {
  const [Menu, setMenu] = useState<ComponentType<{ onClose: () => void }> | null>(null);

  function open(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (Menu) setMenu(null);
    else void loadOrReload(loadMenu()).then(({ AccountMenu }) => setMenu(() => AccountMenu));
  }

  return (
    <div className="account-corner">
      <AccountLink
        className="header-action"
        onOpen={open}
        isOpen={Menu !== null}
        render={(word) => (
          <>
            <Icon name="person" />
            <span className="header-action__word header-action__word--account">{word}</span>
          </>
        )}
      />
      {Menu && <Menu onClose={() => setMenu(null)} />}
    </div>
  );
}
