import { AreaApp } from './AreaApp';
import { AREA_ROUTES } from './areaRoutes';
import { start } from './start';

start(AreaApp, AREA_ROUTES.pages);
