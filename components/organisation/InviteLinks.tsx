/** The ways to bring people in. */
export function InviteLinks() {
  return (
    <p className="row button-row">
      <a className="button" href="/organization/members/invite">
        Invite somebody
      </a>
      <a className="button button--quiet" href="/organization/members/file">
        Invite from a file
      </a>
    </p>
  );
}
