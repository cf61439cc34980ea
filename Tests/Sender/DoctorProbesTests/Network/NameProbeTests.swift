import Doctor
import Testing

@testable import DoctorProbes

struct NameProbeTests {
    @Test func `an address is its own name, with a route on this machine`() {
        let names = NameProbe.evidence(host: "127.0.0.1", port: 443)
        #expect(names.failure == nil)
        #expect(names.addresses.map(\.text) == ["127.0.0.1"])
        #expect(names.addresses.first?.isIPv6 == false && names.addresses.first?.hasRoute == true)
    }

    @Test func `a name below localhost is this machine`() {
        #expect(NameProbe.evidence(host: "a.localhost", port: 1).addresses.map(\.text).contains("127.0.0.1"))
    }

    @Test func `a name that does not exist has no address, and a reason`() {
        let names = NameProbe.evidence(host: "nothing.invalid", port: 443)
        #expect(names.addresses.isEmpty)
        #expect(names.failure?.isEmpty == false)
    }
}
