import type { NewStaff, StaffChanged, StaffRoleChange } from '../../contracts/schema';
import { post } from '../client';

/** Roles of the staff. Every call may reject with ApiProblem, also for a sign-in that is not recent. */
export const addStaff = (person: NewStaff) => post<StaffChanged>('/admin/staff', person);
export const addRole = (learnerId: number, change: StaffRoleChange) =>
  post<StaffChanged>(`/admin/staff/${learnerId}/add`, change);
export const removeRole = (learnerId: number, change: StaffRoleChange) =>
  post<StaffChanged>(`/admin/staff/${learnerId}/remove`, change);
