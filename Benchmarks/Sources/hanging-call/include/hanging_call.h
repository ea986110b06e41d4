// A call of libVLC that never returns, once the process has received SIGUSR1.
