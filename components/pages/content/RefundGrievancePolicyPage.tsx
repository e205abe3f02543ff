export { LegalArticle as RefundGrievancePolicyPage } from '../../content/LegalArticle';
