package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

func printHeader() {
	fmt.Printf("%-55s %17s %23s %9s %11s %6s %s\n", "attack", "probes p99 / max", "admissions p99 / max", "scrapes", "memory peak",
		"lease", "bars")
}

func (r result) print() {
	verdict := "met"
	if len(r.Missed) > 0 {
		verdict = "MISSED: " + join(r.Missed...)
	}
	fmt.Printf("%-55s %7.0f / %4.0f ms %7.0f / %4.0f ms (%d) %2d of %2d %7.1f MiB %4.1f s %s\n", r.Title, r.ProbeP99, r.ProbeMax,
		r.AdmissionP99, r.AdmissionMax, len(r.AdmissionErrors), r.Scrapes-r.ScrapeFailures, r.Scrapes, r.mebibytes(),
		r.LeaseAgeMax/1000, verdict)
	if r.Sent != "" {
		fmt.Printf("    sent: %s\n", r.Sent)
	}
	if r.AttackError != "" {
		fmt.Printf("    the attack failed: %s\n", r.AttackError)
	}
	if r.OOMKills > 0 || r.Restarts > 0 || r.LeaseLost {
		fmt.Printf("    %d OOM kills, %d restarts, lease lost: %t\n", r.OOMKills, r.Restarts, r.LeaseLost)
	}
	if len(r.ProbeErrors) > 0 {
		fmt.Printf("    %d of %d probes failed, the first: %s\n", len(r.ProbeErrors), r.Probes, r.ProbeErrors[0])
	}
	if r.APIServerMax > float64(barProbes.Milliseconds()) {
		fmt.Printf("    the API server alone took up to %.0f ms: the machine is too busy for these figures\n", r.APIServerMax)
	}
	if len(r.AdmissionErrors) > 0 {
		fmt.Printf("    first failed admission: %s\n", r.AdmissionErrors[0])
	}
}

func (r result) mebibytes() float64 { return float64(r.MemoryPeak+r.SocketPeak) / (1 << 20) }

// printTable prints results of several subjects side by side: FILE is named NAME.json.
func printTable(files []string) error {
	if len(files) == 0 {
		return fmt.Errorf("table wants files")
	}
	var subjects [][]result
	fmt.Print("| attack |")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var results []result
		if err := json.Unmarshal(text, &results); err != nil {
			return err
		}
		subjects = append(subjects, results)
		name := strings.TrimSuffix(file[strings.LastIndexByte(file, '/')+1:], ".json")
		fmt.Printf(" %s: probes, ms | admission, ms | memory, MiB | scrapes | process |", name)
	}
	fmt.Print("\n|---|" + strings.Repeat("---|---|---|---|---|", len(files)) + "\n")
	for _, first := range subjects[0] {
		fmt.Printf("| %s |", first.Title)
		for _, results := range subjects {
			row := slices.IndexFunc(results, func(r result) bool { return r.Name == first.Name })
			if row < 0 {
				fmt.Print(" not measured | | | | |")
				continue
			}
			results[row].printCells()
		}
		fmt.Println()
	}
	return nil
}

func (r result) printCells() {
	process := "stays"
	if r.OOMKills > 0 {
		process = fmt.Sprintf("%d OOM kills", r.OOMKills)
	} else if r.Restarts > 0 || r.LeaseLost {
		process = fmt.Sprintf("lease lost, %d restarts", r.Restarts)
	}
	fmt.Printf(" %.0f, %.0f%s | %.0f, %.0f%s | %.0f | %d of %d | %s |", r.ProbeP99, r.ProbeMax, failed(r.ProbeErrors, r.Probes),
		r.AdmissionP99, r.AdmissionMax, failed(r.AdmissionErrors, r.Admissions), r.mebibytes(), r.Scrapes-r.ScrapeFailures, r.Scrapes,
		process)
}

func failed(errors []string, all int) string {
	if len(errors) == 0 {
		return ""
	}
	return fmt.Sprintf(", %d of %d failed", len(errors), all)
}
