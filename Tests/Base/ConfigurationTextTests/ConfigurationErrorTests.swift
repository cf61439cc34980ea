import ConfigurationText
import Testing

struct ConfigurationErrorTests {
    @Test func `the description has as much of the place as is known`() {
        #expect(ConfigurationError(file: "a", "wrong").description == "a: wrong")
        #expect(ConfigurationError(file: "a", line: 3, "wrong").description == "a:3: wrong")
        #expect(
            ConfigurationError(file: "a", line: 3, column: 5, key: "x.y", "wrong").description == "a:3:5: x.y: wrong")
        #expect(ConfigurationError(file: "a", key: "x", "wrong").description == "a: x: wrong")
    }
}
