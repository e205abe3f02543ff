import { App } from './App';
import { ROUTES } from './routes';
import { start } from './start';

start(App, ROUTES.pages);
