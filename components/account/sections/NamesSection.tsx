import { getProfile } from '../../api/account/account';
import { notify } from '../../ui/toasts/toasts';
import { NamesForm } from '../parts/NamesForm';
import { Fetched, Section } from '../parts/Section';
import { useFetched } from '../parts/useFetched';

export function NamesSection() {
  const loaded = useFetched(getProfile);
  return (
    <Section id="names" title="About you" text="As it stands on certificates and receipts.">
      <Fetched loaded={loaded} label="profile">
        {(profile) => {
          const own = profile.attributes.filter(({ isReadOnly }) => !isReadOnly);
          const fixed = profile.attributes.filter(
            ({ isReadOnly, name }) => isReadOnly && profile.profile[name],
          );
          return (
            <>
              {fixed.length > 0 && (
                <dl className="account-facts">
                  {fixed.map(({ name, title }) => (
                    <div key={name}>
                      <dt>{title}</dt>
                      <dd>{profile.profile[name]}</dd>
                    </div>
                  ))}
                </dl>
              )}
              {own.length > 0 && (
                <NamesForm
                  profile={profile}
                  attributes={own}
                  submit="Save"
                  onSaved={(saved) => {
                    loaded.set(saved);
                    void notify('success', 'Your profile was saved.');
                  }}
                />
              )}
            </>
          );
        }}
      </Fetched>
    </Section>
  );
}
