import Testing

@testable import ProviderToken

@Suite struct KeyIDTests {
    @Test(arguments: ["ABC123DEF", "ABC123DEFGH", "abc123defg", "ABC123DEF\"", "ABC123DEÉ", ""])
    func `an id that is not 10 digits and capital letters is refused`(text: String) {
        #expect(KeyID(text) == nil)
        #expect(TeamID(text) == nil)
    }

    @Test func `an id of 10 digits and capital letters is kept as it is`() {
        #expect(KeyID("ABC123DEFG")?.value == "ABC123DEFG")
        #expect(TeamID("0000000000")?.description == "0000000000")
    }
}
