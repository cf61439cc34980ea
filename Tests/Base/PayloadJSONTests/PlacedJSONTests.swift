import PayloadJSON
import Testing

struct PlacedJSONTests {
    @Test func `an offset has the place of the last value that begins at or before it`() {
        var json = PlacedJSON()
        json.beginValue(line: 3, column: 5)
        json.bytes += Array("[".utf8)
        json.beginValue(line: 4, column: 7)
        json.bytes += Array("12".utf8)
        json.bytes += Array("]".utf8)
        #expect(json.place(of: 0) == (3, 5))
        #expect(json.place(of: 1) == (4, 7))
        #expect(json.place(of: 3) == (4, 7))
    }

    @Test func `without a recorded place it is the beginning`() {
        #expect(PlacedJSON().place(of: 9) == (1, 1))
    }
}
