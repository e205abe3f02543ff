#!/bin/sh
# SQLAlchemy 2.1.9 with PyMySQL 1.2.4 on MariaDB (seen with 10.11.19 of Debian 12). Needs mariadb-install-db and mariadbd on the
# PATH; starts a server of its own, on a socket in the temporary folder, for any user.
#
# Expected: who loses a deadlock gets error 1213, whose text and documentation ask for the transaction to be repeated. So code
#   that repeats looks for 1213.
# Happens: a deadlock ends the whole transaction, with its savepoints. Inside `begin_nested()` SQLAlchemy then rolls back to a
#   savepoint that is gone, and error 1305 ("SAVEPOINT … does not exist") arrives in the place of 1213, which is left in
#   `orig.__context__`. Each side behaves as documented; their meeting hides the error that asks for a repeat.
# For a shop: two people who buy the last seats at once; one of them gets an error page where a repeat would have succeeded.
#   This shop looks for 1213 along `__context__` (domain/database/database.py; tests/domain/database/test_deadlocks.py).
set -eu
PATH=$PATH:/usr/sbin
for program in mariadb-install-db mariadbd; do
    command -v "$program" > /dev/null || { echo "mariadb_deadlock_in_savepoint: needs $program" >&2; exit 2; }
done
folder=$(mktemp -d)
server=""
stop() {
    [ -z "$server" ] || { kill "$server" && wait "$server" || true; }
    rm -rf "$folder"
}
trap stop EXIT
trap 'exit 130' INT TERM
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check --no-deps sqlalchemy==2.1.9 pymysql==1.2.4 typing-extensions==4.16.0 greenlet==3.5.6

user=$(id -un)
mariadb-install-db --no-defaults --user="$user" --datadir="$folder/data" --auth-root-authentication-method=normal \
    > install.log 2>&1 || { cat install.log >&2; exit 2; }
mariadbd --no-defaults --user="$user" --datadir="$folder/data" --socket="$folder/socket" --skip-networking --skip-grant-tables \
    --innodb-buffer-pool-size=8M > server.log 2>&1 &
server=$!

cat > run.py <<'END'
import threading
import time

from sqlalchemy import create_engine, text
from sqlalchemy.exc import DBAPIError, OperationalError

engine = create_engine("mysql+pymysql://root@localhost/test?unix_socket=socket")
for _ in range(100):
    try:
        engine.connect().close()
        break
    except OperationalError:
        time.sleep(0.2)
with engine.begin() as connection:
    connection.execute(text("CREATE TABLE seats (course INT PRIMARY KEY, free INT) ENGINE=InnoDB"))
    connection.execute(text("INSERT INTO seats VALUES (1, 5), (2, 5)"))
take = text("UPDATE seats SET free = free - 1 WHERE course = :course")
both_hold_one = threading.Barrier(2)


def buy(first, second, in_savepoint, errors):
    try:
        with engine.begin() as connection:
            connection.execute(take, {"course": first})
            both_hold_one.wait()
            if in_savepoint:
                with connection.begin_nested():
                    connection.execute(take, {"course": second})
            else:
                connection.execute(take, {"course": second})
    except DBAPIError as error:
        before = error.orig.__context__
        hidden = before.orig.args[0] if isinstance(before, DBAPIError) else None
        errors.append((error.orig.args[0], hidden))


for in_savepoint in (False, True):
    errors = []
    threads = [threading.Thread(target=buy, args=(*pair, in_savepoint, errors)) for pair in ((1, 2), (2, 1))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print("in a savepoint:" if in_savepoint else "without one:", *(f"error {seen}, behind it {hidden}" for seen, hidden in errors))
END
venv/bin/python run.py > seen

cat > expected <<'END'
without one: error 1213, behind it None
in a savepoint: error 1305, behind it 1213
END
diff expected seen || { echo "mariadb_deadlock_in_savepoint: the behaviour has changed" >&2; exit 1; }
cat seen
