import Foundation
import PushDispatch
import SelectiveSync

/// Helpers of the measures.
enum Bench {
    /// The time of the fastest run in seconds. Other load of the machine can only make a run slower.
    static func fastest(of runs: Int, _ work: () async throws -> Void) async rethrows -> Double {
        var best = Double.infinity
        for _ in 0..<runs { best = min(best, try await seconds(work)) }
        return best
    }

    static func seconds(_ work: () async throws -> Void) async rethrows -> Double {
        let start = ContinuousClock.now
        try await work()
        let parts = (ContinuousClock.now - start).components
        return Double(parts.seconds) + Double(parts.attoseconds) / 1e18
    }

    /// - Parameter limit: Nil for a value without a limit.
    static func show(_ name: String, _ value: Double, _ unit: String, limit: Double? = nil, isFloor: Bool = false) {
        let holds = limit.map { isFloor ? value >= $0 : value <= $0 } ?? true
        print(
            "{\"measure\":\"\(name)\",\"value\":\(String(format: "%.3f", value)),\"unit\":\"\(unit)\","
                + "\"limit\":\(limit.map { "\($0)" } ?? "null"),\"holds\":\(holds)}")
    }

    static func id(_ number: Int) -> RecordID {
        let digits = String(number)
        return RecordID("001xx" + String(repeating: "0", count: 10 - digits.count) + digits)!
    }

    /// - Parameter minute: The minute of its last change.
    static func record(_ number: Int, minute: Int = 20) -> ServerRecord {
        let date = JSONValue.string("2026-05-20T20:\(minute):32.000+0000")
        return ServerRecord(
            id: id(number),
            fields: [
                "Id": .string(id(number).description), "Name": "Northwind Clinic", "OwnerId": "005xx000001X8UzAAK",
                "Type": "Customer", "LastModifiedDate": date, "SystemModstamp": date,
            ])
    }

    static let account = SyncObject("Account", fields: ["Name", "OwnerId", "Type"])

    /// From the system; 0 where it is not available.
    static func residentBytes() -> Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4_096
    }

    /// The most memory since `resetPeak`, from the system; 0 where it is not available.
    static func peakBytes() -> Int {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kilobytes = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return 0 }
        return kilobytes * 1_024
    }

    static func resetPeak() { try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8) }

    /// The CPU time of `work` in seconds.
    static func processorSeconds(_ work: () async throws -> Void) async rethrows -> Double {
        let start = processorSeconds()
        try await work()
        return processorSeconds() - start
    }

    /// The CPU time of all threads of this process.
    static func processorSeconds() -> Double {
        var usage = rusage()
        #if canImport(Glibc)
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #else
            getrusage(RUSAGE_SELF, &usage)
        #endif
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    static func withFolder(_ work: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sync-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await work(folder)
    }
}
