// state.c MODE: each rank sets what a process has to itself, waits for the others, and looks at it again.
#include <errno.h>
#include <locale.h>
#include <mpi.h>
#include <search.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int rank, wrong;

static void expect(int right, char const* what) {
  if (right) return;
  wrong = 1;
  fprintf(stderr, "rank %d: %s\n", rank, what);
}

static void others(void) { MPI_Barrier(MPI_COMM_WORLD); }

// The numbers of random by a generator in the caller's memory.
static void as_reference(unsigned seed, int (*next)(void), char const* what) {
  char table[128] = "";
  struct random_data data;
  memset(&data, 0, sizeof data);
  initstate_r(seed, table, sizeof table, &data);
  for (int i = 0; i < 40; ++i) {
    int32_t number;
    random_r(&data, &number);
    expect(next() == number, what);
    if (i % 3 == rank % 3) others();
    if (i % 3 != rank % 3) others();
  }
}
static int next_random(void) { return (int)random(); }

static void generators(void) {
  as_reference(1, rand, "rand without a seed");
  srand(7 + (unsigned)rank);
  as_reference(7 + (unsigned)rank, rand, "rand");
  srandom(70 + (unsigned)rank);
  as_reference(70 + (unsigned)rank, next_random, "random");
  static char table[128];
  char* const before = initstate(5 + (unsigned)rank, table, sizeof table);
  as_reference(5 + (unsigned)rank, next_random, "random after initstate");
  setstate(before);
  others();
  setstate(table);
}

static void generators48(void) {
  struct drand48_data data;
  memset(&data, 0, sizeof data);
  unsigned short constants[7] = {1, 2, 3, 5, 7, 11, 13};
  for (int i = 0; i < 20; ++i) {
    double number;
    long integer;
    if (i == 5) srand48(rank), srand48_r(rank, &data);
    if (i == 10)
      seed48((unsigned short[]){1, 2, (unsigned short)rank}),
          seed48_r((unsigned short[]){1, 2, (unsigned short)rank}, &data);
    constants[0] = (unsigned short)rank;
    if (i == 15) lcong48(constants), lcong48_r(constants, &data);
    drand48_r(&data, &number);
    expect(drand48() == number, "drand48");
    others();
    lrand48_r(&data, &integer);
    expect(lrand48() == integer, "lrand48");
    others();
    mrand48_r(&data, &integer);
    expect(mrand48() == integer, "mrand48");
    others();
  }
}

static void tokens(void) {
  char text[] = "0a 0b 0c 0d";
  for (char* c = text; *c != '\0'; ++c) *c = (char)(*c == '0' ? '0' + rank : *c);
  int number = 0;
  for (char* word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) {
    expect(word[0] == '0' + rank && word[1] == 'a' + number, "strtok");
    ++number;
    others();
  }
  expect(number == 4, "words of strtok");
}

static void environment(void) {
  char value[16], entry[32];
  snprintf(value, sizeof value, "%d", rank);
  setenv("STATE_OF_A_RANK", value, 1);
  others();
  expect(strcmp(getenv("STATE_OF_A_RANK"), value) == 0, "setenv");
  if (rank % 2 == 0) unsetenv("STATE_OF_A_RANK");
  others();
  expect((getenv("STATE_OF_A_RANK") == NULL) == (rank % 2 == 0), "unsetenv");
  snprintf(entry, sizeof entry, "STATE_OF_A_RANK=put%d", rank);
  putenv(entry);
  others();
  expect(atoi(getenv("STATE_OF_A_RANK") + 3) == rank, "putenv");
  expect(getenv("PATH") != NULL, "what was there before");
  if (rank == 0) clearenv();
  others();
  expect((getenv("PATH") == NULL) == (rank == 0), "clearenv");
}

static void folders(void) {
  char here[4096], there[4096];
  expect(getcwd(here, sizeof here) != NULL, "getcwd");
  others();
  expect(chdir(rank % 2 == 0 ? "/" : "/usr") == 0, "chdir");
  umask((mode_t)(8 + rank));
  others();
  expect(getcwd(there, sizeof there) != NULL, "getcwd");
  expect(strcmp(there, rank % 2 == 0 ? "/" : "/usr") == 0, "chdir, and waiting");
  expect(access(rank % 2 == 0 ? "usr" : "bin", F_OK) == 0, "a path from the working directory");
  expect(umask(0) == (mode_t)(8 + rank), "umask");
  expect(chdir(here) == 0, "chdir back");
}

static void buffers(void) {
  time_t const when = 86400 * (10 + rank);
  struct tm const* const day = gmtime(&when);
  others();
  expect(day->tm_yday == 10 + rank, "gmtime");
  char const* const text = asctime(day);
  others();
  char right[32];
  snprintf(right, sizeof right, "%d 00:00:00 1970\n", 11 + rank);
  expect(strcmp(text + 8, right) == 0, "asctime");
  setlocale(LC_ALL, rank % 2 == 0 ? "C" : "C.UTF-8");
  others();
  expect(strcmp(setlocale(LC_ALL, NULL), rank % 2 == 0 ? "C" : "C.UTF-8") == 0, "setlocale");
  errno = 1000 + rank;
  others();
  expect(errno == 1000 + rank, "errno");
  hcreate(8);
  hsearch((ENTRY){.key = (char*)"rank", .data = &rank}, ENTER);
  others();
  ENTRY* const found = hsearch((ENTRY){.key = (char*)"rank", .data = NULL}, FIND);
  expect(found != NULL && found->data == &rank, "hsearch");
  hdestroy();
}

static int handled, sender;
static void count_signal(int signal) { handled += signal; }
static void note_sender(int signal, siginfo_t* info, void* context) {
  (void)context;
  handled += signal;
  sender = info->si_pid;
}

static void signals(void) {
  expect(signal(SIGUSR1, rank % 2 == 0 ? count_signal : SIG_IGN) == SIG_DFL, "the first handler");
  others();
  raise(SIGUSR1);
  expect(handled == (rank % 2 == 0 ? SIGUSR1 : 0), "raise");
  others();
  expect(signal(SIGUSR1, SIG_DFL) == (rank % 2 == 0 ? count_signal : SIG_IGN), "the handler that was there");
  struct sigaction action, before;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = note_sender;
  action.sa_flags = SA_SIGINFO | (int)SA_RESETHAND;
  expect(sigaction(SIGUSR2, &action, NULL) == 0, "sigaction");
  others();
  handled = 0;
  expect(kill(getpid(), SIGUSR2) == 0 && handled == SIGUSR2 && sender == getpid(), "kill");
  expect(kill(getpid(), 0) == 0 && kill(getpid() + 100000, SIGUSR2) == -1 && errno == ESRCH, "kill for others");
  char* words[] = {"sleep", "60", NULL};
  pid_t child = 0;
  int status = 0;
  expect(posix_spawnp(&child, "sleep", NULL, NULL, words, environ) == 0 && kill(child, SIGTERM) == 0, "kill for a child");
  expect(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM, "a killed child");
  expect(kill(child, SIGTERM) == -1 && errno == ESRCH, "kill for a child that was waited for");
  expect(sigaction(SIGUSR2, NULL, &before) == 0 && before.sa_handler == SIG_DFL, "a handler for one signal");
  expect(sigaction(SIGKILL, &action, NULL) == -1 && signal(0, count_signal) == SIG_ERR, "signals that nobody handles");
  if (rank == 0) signal(SIGTERM, count_signal);
  others();
  if (rank != 0) expect(signal(SIGTERM, SIG_IGN) == SIG_DFL, "a handler of another rank");
}

static void at_the_end(void) { printf("the end of rank %d\n", rank); }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (strcmp(argv[1], "generators") == 0) generators();
  if (strcmp(argv[1], "generators48") == 0) generators48();
  if (strcmp(argv[1], "tokens") == 0) tokens();
  if (strcmp(argv[1], "environment") == 0) environment();
  if (strcmp(argv[1], "folders") == 0) folders();
  if (strcmp(argv[1], "buffers") == 0) buffers();
  if (strcmp(argv[1], "signals") == 0) signals();
  if (strcmp(argv[1], "alarm") == 0) signal(SIGALRM, count_signal);
  if (strcmp(argv[1], "atexit") == 0) atexit(at_the_end);
  MPI_Finalize();
  return wrong;
}
