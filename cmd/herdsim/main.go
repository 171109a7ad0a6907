// Command herdsim simulates what the retry policies of job queues do to a service that fails: when the retries come, how
// hard they hit, and which jobs are given up.
package main

import "os"

func main() { os.Exit(start(os.Args[1:])) }
