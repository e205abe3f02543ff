import { useEffect } from 'react';
import guideStyles from '../../static/css/styleguide.css?text';
import { adoptStyles } from '../browser/mount';
import { AccountStates } from './AccountStates';
import { ActionFieldBlocks } from './blocks/ActionFieldBlocks';
import { ButtonBlocks } from './blocks/ButtonBlocks';
import { ChartStates } from './blocks/ChartStates';
import { EditedStates } from './blocks/EditedStates';
import { FailureBlocks } from './blocks/FailureBlocks';
import { FormBlocks } from './blocks/FormBlocks';
import { ListBlocks } from './blocks/ListBlocks';
import { NavigationBlocks } from './blocks/NavigationBlocks';
import { StatusStates } from './blocks/StatusStates';
import { TableStates } from './blocks/TableStates';
import { UploadStates } from './blocks/UploadStates';
import { CardStates } from './CardStates';
import { CartStates } from './CartStates';
import { CheckoutStates } from './CheckoutStates';
import { CourseStates } from './CourseStates';
import { FormStates } from './FormStates';
import { Foundations } from './Foundations';
import { IdentityStates } from './IdentityStates';
import { ListStates } from './ListStates';
import { LearningStates } from './learning/LearningStates';
import { OrderStates } from './OrderStates';
import { SmallStates } from './SmallStates';

const GROUPS = [
  ['colours', 'Colours'],
  ['type', 'Type'],
  ['space', 'Space'],
  ['icons', 'Icons'],
  ['buttons', 'Links'],
  ['buttons-states', 'Button'],
  ['prices', 'Prices'],
  ['messages', 'Messages'],
  ['waiting', 'Waiting'],
  ['menus', 'Menus and tabs'],
  ['failures', 'Dialogs and failures'],
  ['badges', 'Badges'],
  ['progress', 'Progress'],
  ['skeletons', 'Skeletons'],
  ['pages', 'Pagination'],
  ['empty', 'Empty lists'],
  ['cards', 'Cards'],
  ['tiles', 'Front page'],
  ['lists', 'Lists'],
  ['search', 'Search'],
  ['course', 'Course'],
  ['parts', 'Course parts'],
  ['ratings', 'Reviews'],
  ['fields', 'Fields'],
  ['actions', 'Described forms'],
  ['form', 'Form'],
  ['forms', 'Contact form'],
  ['items', 'Items'],
  ['cart', 'Cart'],
  ['wishlist', 'Wishlist'],
  ['checkout', 'Checkout'],
  ['orders', 'Orders'],
  ['identity', 'Identity'],
  ['account', 'Account'],
  ['learning', 'Learning'],
  ['tables', 'Tables'],
  ['uploads', 'Files'],
  ['edited', 'Edited as a whole'],
  ['charts', 'Charts'],
] as const;

let isStyled = false;

/** Every component in every state, with sample data. Served in development only (host/loaders/styleguide.py). */
export function StyleguidePage() {
  useEffect(() => {
    if (!isStyled) adoptStyles(guideStyles);
    isStyled = true;
  }, []);
  return (
    <div className="guide">
      <h1>Styleguide</h1>
      <nav className="guide__nav row" aria-label="Groups">
        {GROUPS.map(([id, text]) => (
          <a key={id} className="chip" href={`#${id}`}>
            {text}
          </a>
        ))}
      </nav>
      <Foundations />
      <SmallStates />
      <ButtonBlocks />
      <NavigationBlocks />
      <FailureBlocks />
      <StatusStates />
      <ListBlocks />
      <CardStates />
      <ListStates />
      <CourseStates />
      <FormBlocks />
      <ActionFieldBlocks />
      <FormStates />
      <CartStates />
      <CheckoutStates />
      <OrderStates />
      <IdentityStates />
      <AccountStates />
      <LearningStates />
      <TableStates />
      <UploadStates />
      <EditedStates />
      <ChartStates />
    </div>
  );
}
