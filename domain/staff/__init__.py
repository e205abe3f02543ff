"""The staff of the school: who has which role, and what giving and taking one requires."""

from domain.staff.listing import MEMBERS, GrantedRole, StaffMember, all_members, granted_roles, member
from domain.staff.roles import (
    STAFF_ROLES,
    LastAdministrator,
    OwnRoles,
    RoleChange,
    add_role,
    find_person,
    remove_all,
    remove_role,
)

__all__ = [
    "MEMBERS",
    "STAFF_ROLES",
    "GrantedRole",
    "LastAdministrator",
    "OwnRoles",
    "RoleChange",
    "StaffMember",
    "add_role",
    "all_members",
    "find_person",
    "granted_roles",
    "member",
    "remove_all",
    "remove_role",
]
