import type { OrganisationRef } from '../../contracts/schema';
import { post } from '../client';

/** The session is for this organisation from now on. Rejects with ApiProblem. */
export const enterOrganisation = (slug: string) => post<OrganisationRef>('/organization/enter', { slug });
