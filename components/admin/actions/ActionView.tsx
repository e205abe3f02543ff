import type { ReactNode } from 'react';
import type { ActionPageProps } from '../../contracts/schema';
import { DetailView } from '../DetailView';
import { ActionForm } from './ActionForm';

type ActionViewProps = ActionPageProps & {
  /** The parts of the thing that are pages of their own. */
  tabs?: ReactNode;
  /** Above the texts and forms. */
  before?: ReactNode;
  /** Beside the heading. */
  beside?: ReactNode;
  /** Each form opens under its title, above what is known: many at once would hide it. */
  isFolded?: boolean;
  /** Below what can be done. */
  children?: ReactNode;
};

/** The page of one thing: facts, texts, what can be done with it, and short tables. */
export function ActionView({
  texts,
  actions,
  tabs,
  before,
  beside,
  isFolded = false,
  children,
  ...detail
}: ActionViewProps) {
  const forms = actions.length > 0 && (
    <div className={isFolded ? 'area-folds' : 'area-forms'}>
      {actions.map((action) => (
        <ActionForm key={action.id} action={action} frame={isFolded ? 'fold' : 'box'} />
      ))}
    </div>
  );
  return (
    <DetailView {...detail} tabs={tabs} actions={beside} forms={isFolded && forms}>
      {before}
      {texts.map(({ id, title, text }) => (
        <section key={id} className="area-part" aria-labelledby={`${id}-title`}>
          <h2 className="heading-m" id={`${id}-title`}>
            {title}
          </h2>
          <p className="area-text area-box">{text}</p>
        </section>
      ))}
      {!isFolded && forms}
      {children}
    </DetailView>
  );
}
