package plots

import "image/color"

// Greys of everything that is not data.
var (
	ink       = color.Gray{Y: 0x22}
	softInk   = color.Gray{Y: 0x59} // 7:1 on white
	hairline  = color.Gray{Y: 0xE4}
	shade     = color.Gray{Y: 0xEF}
	paleShade = color.Gray{Y: 0xF7}
	spread    = color.Gray{Y: 0xB8}
	paper     = color.White
)

// policyColor returns the colour of the i-th policy of a scenario in every picture: the palette of Okabe and Ito, which most kinds
// of colour blindness leave apart; after eight it starts again.
func policyColor(i int) color.NRGBA {
	palette := [...]color.NRGBA{
		{0xD5, 0x5E, 0x00, 0xFF},
		{0xE6, 0x9F, 0x00, 0xFF},
		{0x00, 0x72, 0xB2, 0xFF},
		{0x00, 0x9E, 0x73, 0xFF},
		{0xCC, 0x79, 0xA7, 0xFF},
		{0x56, 0xB4, 0xE9, 0xFF},
		{0xF0, 0xE4, 0x42, 0xFF},
		{0x00, 0x00, 0x00, 0xFF},
	}
	return palette[i%len(palette)]
}

// tint mixes c with white; share is what remains of c, in percent.
func tint(c color.NRGBA, share int) color.NRGBA {
	mix := func(v uint8) uint8 { return uint8((int(v)*share + 255*(100-share)) / 100) }
	return color.NRGBA{mix(c.R), mix(c.G), mix(c.B), c.A}
}
