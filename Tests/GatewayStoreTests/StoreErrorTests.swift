import Testing

@testable import GatewayStore

@Suite struct StoreErrorTests {
    @Test func `the description is the sentence`() {
        #expect(StoreError(.taken, "in use").description == "in use")
    }
}
