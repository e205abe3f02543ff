import { useNavigate } from 'react-router-dom';
import { addRole, removeRole } from '../../api/admin/staff';
import { useRefresh } from '../../api/session/privatePage';
import type { StaffMemberProps } from '../../contracts/schema';
import { apiErrorText } from '../../forms/call/apiErrorText';
import { offerUndo } from '../../ui/toasts/offerUndo';
import { notify } from '../../ui/toasts/toasts';
import { RoleForm, type RoleValues } from './RoleForm';

type RoleFormsProps = Pick<StaffMemberProps, 'learnerId' | 'name' | 'hasRoles' | 'otherRoles'>;

/** Gives roles to somebody of the staff and takes them; both can be undone for ten seconds. */
export function RoleForms({ learnerId, name, hasRoles, otherRoles }: RoleFormsProps) {
  const refresh = useRefresh();
  const navigate = useNavigate();

  function showAgain() {
    // Whoever has lost the last role has no page any more.
    refresh().catch(() => undefined);
  }

  function offer(text: string, undo: () => Promise<unknown>) {
    void offerUndo(text, () => {
      undo().then(showAgain, (problem: unknown) => notify('error', apiErrorText(problem)));
    });
  }

  function added({ role }: RoleValues) {
    showAgain();
    offer(`${name} has the role ${role} now.`, () => removeRole(learnerId, { role, reason: 'Undone' }));
  }

  function removed({ role }: RoleValues) {
    if (hasRoles.length === 1) navigate('/admin/staff');
    else showAgain();
    offer(`${name} does not have the role ${role} any more.`, () =>
      addRole(learnerId, { role, reason: 'Undone' }),
    );
  }

  if (hasRoles.length === 0)
    return <p className="muted">Nobody changes their own roles. Ask another administrator.</p>;
  return (
    <div className="area-forms">
      {otherRoles.length > 0 && (
        <section className="area-box" aria-labelledby="give-role">
          <h2 className="heading-m" id="give-role">
            Give a role
          </h2>
          <RoleForm
            key={otherRoles.length}
            name={`give-role-${learnerId}`}
            roles={otherRoles}
            label="Role to give"
            button="Give role"
            send={(values) => addRole(learnerId, values)}
            onDone={added}
          />
        </section>
      )}
      <section className="area-box" aria-labelledby="take-role">
        <h2 className="heading-m" id="take-role">
          Take a role
        </h2>
        <RoleForm
          key={hasRoles.length}
          name={`take-role-${learnerId}`}
          roles={hasRoles}
          label="Role to take"
          button="Take role"
          question={(role) => ({
            question: `Take the role ${role} from ${name}?`,
            text:
              hasRoles.length === 1
                ? 'It is their last one: they are signed out of this area at once.'
                : 'It counts from their next step on.',
          })}
          send={(values) => removeRole(learnerId, values)}
          onDone={removed}
        />
      </section>
    </div>
  );
}
