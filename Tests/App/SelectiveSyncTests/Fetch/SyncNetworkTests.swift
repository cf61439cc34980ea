import Testing

@testable import SelectiveSync

struct SyncNetworkTests {
    @Test(
        arguments: [
            (.any, .offline, false), (.any, .metered, true), (.any, .unmetered, true), (.unmetered, .offline, false),
            (.unmetered, .metered, false), (.unmetered, .unmetered, true),
        ] as [(NetworkRule, SyncNetwork, Bool)])
    func `a rule allows networks`(rule: NetworkRule, network: SyncNetwork, isAllowed: Bool) {
        #expect(rule.allows(network) == isAllowed)
    }
}
