import APNSProvider
import Foundation
import Testing

@testable import Doctor
@testable import DoctorProbes

struct CrashingCheckTests {
    @Test func `a check that crashes, one that throws and a sound one each have a result`() async {
        await #expect(processExitsWith: .success) {
            struct Fault: Error {}
            func check(_ id: String, _ judge: @escaping @Sendable () throws -> DoctorVerdict) -> DoctorCheck {
                DoctorCheck(
                    id: id, layer: .key, summary: "", cause: "", next: "", subject: { _ in .seen(()) },
                    judge: { try judge() })
            }
            let empty: [Int] = []
            let checks = [
                check("crashes") { .pass("\(empty[empty.count + 1])") },
                check("throws") { throw Fault() },
                check("overflows") { .pass("\(deep(1))") },
                check("passes") { .pass("well") },
            ]
            var settings = ExaminationSettings(
                identity: .none, gateway: APNSGateway(host: "localhost", port: 1), now: { 0 })
            settings.isOffline = true
            let examined = await Examined(settings, checks: checks)
            precondition(examined.results.map(\.state) == [.fail, .fail, .fail, .pass], "\(examined.results)")
            precondition(examined.message("crashes").contains("it crashed"), "\(examined.results)")
            precondition(!examined.summary.isGood)
        }
    }
}

/// Needs more stack than there is.
@inline(never)
private func deep(_ number: Int) -> Int {
    let array = [number, number + 1]
    return number < 0 ? 0 : deep(array[1]) + array.count
}
