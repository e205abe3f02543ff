import { useState } from 'react';
import { Badge } from '../../ui/Badge';
import type { MenuItem } from '../../ui/controls/Menu';
import { MenuButton } from '../../ui/controls/MenuButton';
import { Tabs } from '../../ui/controls/Tabs';
import { Group, State } from '../guide/Guide';
import { UNBROKEN } from '../guide/texts';

const PARTS = [
  'Texts',
  'Outcomes and FAQ',
  'Lessons',
  'Images',
  'Price',
  'Search snippet',
  'Reviews',
  'History',
];
const LINKS: MenuItem[] = [
  { href: '#menus', icon: 'eye', text: 'Show it in the shop' },
  { href: '#menus-2', icon: 'copy', text: 'Duplicate' },
  { href: '#menus-3', text: UNBROKEN.slice(0, 60) },
];

/** Menus and tabs in all their states. */
export function NavigationBlocks() {
  const [done, setDone] = useState('');
  const actions: MenuItem[] = [
    { icon: 'copy', text: 'Duplicate', onPress: () => setDone('Duplicated.') },
    { icon: 'trash', text: 'Retire', onPress: () => setDone('Retired.') },
  ];
  return (
    <Group id="menus" title="Menus and tabs">
      <State label="Menu of actions; of links. Arrow keys, Home, End and Esc work in it">
        <div className="guide__row row">
          <MenuButton text="Actions" items={actions} />
          <MenuButton text="Go to" items={LINKS} />
          <span role="status">{done}</span>
        </div>
      </State>
      <State label="Tabs: few, with a count; more than fit">
        <Tabs
          label="Applications"
          tabs={[
            { href: '#open', text: 'Open', isCurrent: true, badge: <Badge text="3" /> },
            { href: '#decided', text: 'Decided', isCurrent: false },
          ]}
        />
        <Tabs
          label="Parts of the course"
          tabs={PARTS.map((text, index) => ({ href: `#part-${index}`, text, isCurrent: index === 4 }))}
        />
      </State>
    </Group>
  );
}
