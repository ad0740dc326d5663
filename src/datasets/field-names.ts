/**
 * Names under which files have the fields of a work, as exports, APIs and people write them: without case, spaces
 * and marks, members of nested objects in one word (`title.romaji` as `titleromaji`). The first that a file has counts.
 */
export const fieldNames = {
  fields: {
    id: [
      ...['id', 'malid', 'mal_id', 'animeid', 'mangaid', 'anilistid', 'idmal', 'kitsuid', 'seriesid', 'uid'],
      ...['nr', 'no', 'num', 'number', 'index', 'nummer', 'numero', 'num\u00e9ro', 'n\u00famero', '\u756a\u53f7'],
    ],
    title: [
      ...['title', 'name', 'titel', 'titre', 'titulo', 't\u00edtulo', 'titolo', 'nombre', 'nome', 'nom'],
      ...['titleromaji', 'romajititle', 'titleuserpreferred', 'canonicaltitle', 'titlesenjp', 'titledefault'],
      ...['animetitle', 'mangatitle', 'animename', 'manganame', 'seriestitle', 'seriesname', 'series'],
      ...['originaltitle', 'titreoriginal', 'titulooriginal', 'titolooriginale', 'originaltitel'],
      ...['englishtitle', 'titleenglish', 'titlesen', 'anime', 'manga', 'work', 'werk'],
      ...['\u30bf\u30a4\u30c8\u30eb', '\u4f5c\u54c1\u540d', '\u984c\u540d', '\u4f5c\u54c1'],
    ],
    type: [
      ...['format', 'type', 'mediatype', 'subtype', 'kind', 'typ', 'art', 'tipo', 'formato', 'medium'],
      ...['\u7a2e\u985e', '\u7a2e\u5225', '\u5a92\u4f53', '\u30b8\u30e3\u30f3\u30eb\u533a\u5206'],
    ],
    genres: [
      ...['genres', 'genre', 'categories', 'category', 'genren', 'genero', 'g\u00e9nero', 'generos', 'g\u00e9neros'],
      ...['g\u00eanero', 'g\u00eaneros', 'generi', 'genere', 'kategorie', 'cat\u00e9gorie', '\u30b8\u30e3\u30f3\u30eb'],
    ],
    year: [
      ...['year', 'startyear', 'releaseyear', 'yearofrelease', 'yearreleased', 'seasonyear', 'startdateyear'],
      ...['startseasonyear', 'released', 'releasedate', 'aired', 'airedfrom', 'airedpropfromyear', 'airdate'],
      ...['firstaired', 'startdate', 'premiered', 'premiere', 'published', 'publishedfrom', 'publicationdate'],
      ...['season', 'debut', 'start', 'date', 'jahr', 'erscheinungsjahr', 'erstausstrahlung', 'ann\u00e9e', 'annee'],
      ...['datedesortie', 'ano', 'a\u00f1o', 'fechadeestreno', 'estreno', 'estreia', 'anno', 'datadiuscita'],
      ...['\u5e74', '\u653e\u9001\u5e74', '\u516c\u958b\u5e74', '\u767a\u58f2\u5e74', '\u5236\u4f5c\u5e74', '\u653e\u9001\u958b\u59cb\u65e5', '\u653e\u9001\u65e5'],
    ],
    score: [
      ...['score', 'rating', 'averagescore', 'meanscore', 'mean', 'averagerating', 'bayesianrating', 'userrating'],
      ...['userscore', 'malscore', 'bewertung', 'wertung', 'note', 'puntuacion', 'puntuaci\u00f3n', 'nota'],
      ...['voto', 'valutazione', 'pontua\u00e7\u00e3o', '\u8a55\u4fa1', '\u30b9\u30b3\u30a2', '\u70b9\u6570'],
    ],
    popularity: [
      ...['members', 'popularitycount', 'numlistusers', 'statisticsmembers', 'usercount', 'users', 'votes'],
      ...['scoredby', 'ratingvotes'],
    ],
    episodes: [
      ...['episodes', 'episode', 'eps', 'numepisodes', 'numberofepisodes', 'noofepisodes', 'totalepisodes'],
      ...['episodecount', 'episoden', 'folgen', 'anzahlfolgen', '\u00e9pisodes', 'nombredepisodes', 'episodios'],
      ...['epis\u00f3dios', 'cap\u00edtulos', 'episodi', '\u8a71\u6570'],
    ],
    minutes: [
      ...['minutes', 'duration', 'runtime', 'episodeduration', 'episodelength', 'dauer', 'laufzeit', 'dur\u00e9e'],
      ...['duracion', 'duraci\u00f3n', 'dura\u00e7\u00e3o', 'durata', '\u6642\u9593'],
    ],
    volumes: [
      ...['volumes', 'vols', 'numvolumes', 'numberofvolumes', 'totalvolumes', 'volumecount', 'b\u00e4nde', 'tomes'],
      ...['tomos', 'volumi', '\u5dfb\u6570'],
    ],
    chapters: [
      ...['chapters', 'numchapters', 'numberofchapters', 'totalchapters', 'chaptercount', 'kapitel', 'chapitres'],
      ...['capitoli', 'latestchapter'],
    ],
    studios: [
      ...['studios', 'studiosnodes', 'studio', 'animationstudio', 'animationstudios', 'estudio', 'est\u00fadio'],
      ...['\u5236\u4f5c\u4f1a\u793e', '\u30b9\u30bf\u30b8\u30aa', '\u30a2\u30cb\u30e1\u30fc\u30b7\u30e7\u30f3\u5236\u4f5c'],
    ],
    authors: [
      ...['authors', 'author', 'mangaka', 'writers', 'writer', 'creators', 'creator', 'autor', 'autoren', 'auteur'],
      ...['autores', 'autore', 'autori', '\u4f5c\u8005', '\u539f\u4f5c'],
    ],
    directors: [
      ...['directors', 'director', 'directedby', 'regie', 'regisseur', 'r\u00e9alisateur', 'diretor', 'regista'],
      ...['\u76e3\u7763'],
    ],
    magazines: [
      ...['magazines', 'magazine', 'serialization', 'serializations', 'serialisation', 'serialisations'],
      ...['serializedin', 'serialisedin', 'publishedin', 'ranin', '\u63b2\u8f09\u8a8c'],
    ],
    audience: ['audience', 'demographic', 'demographics'],
    source: ['source', 'sourcematerial', 'vorlage'],
    status: ['status', 'airingstatus', 'publishingstatus', '\u00e9tat', 'estado', 'stato'],
    tags: ['tags', 'themes', 'theme', 'keywords', 'schlagworte', '\u30bf\u30b0'],
    adult: ['isadult', 'adult', 'nsfw', 'ishentai'],
  },
  titles: [
    ...['titleromaji', 'romajititle', 'titleenglish', 'englishtitle', 'englishname', 'titlesen', 'titlesenus'],
    ...['alternativetitlesen', 'titlenative', 'nativetitle', 'japanesename', 'titlejapanese', 'japanesetitle'],
    ...['titlesjajp', 'alternativetitlesja', 'titleuserpreferred', 'synonyms', 'titlesynonyms'],
    ...['alternativetitlessynonyms', 'abbreviatedtitles', 'associated', 'titles', 'alternativetitles'],
    ...['othertitles', 'andere titel', 'autrestitres', 'otrostitulos', '\u5225\u540d'],
  ],
  english: ['titleenglish', 'englishtitle', 'englishname', 'titlesen', 'titlesenus', 'alternativetitlesen'],
  japanese: [
    ...['titlenative', 'nativetitle', 'japanesename', 'titlejapanese', 'japanesetitle', 'titlesjajp'],
    ...['alternativetitlesja'],
  ],
  texts: [
    ...['synopsis', 'description', 'plot', 'summary', 'overview', 'sypnopsis', 'story', 'storyline'],
    ...['plotsummary', 'premise', 'beschreibung', 'handlung', 'inhalt', 'inhaltsangabe', 'zusammenfassung'],
    ...['r\u00e9sum\u00e9', 'resume', 'synopsisfran\u00e7ais', 'sinopsis', 'sinopse', 'descripcion', 'descripci\u00f3n', 'descricao'],
    ...['descri\u00e7\u00e3o', 'resumen', 'argumento', 'trama', 'descrizione', 'sinossi'],
    ...['\u3042\u3089\u3059\u3058', '\u6982\u8981', '\u5185\u5bb9', '\u7d39\u4ecb', '\u8aac\u660e'],
  ],
  /** Of these sites an id tells which work it is. */
  sites: {
    malId: ['malid', 'idmal'],
    anilistId: ['anilistid'],
  },
  images: [
    ...['coverimageextralarge', 'coverimagelarge', 'coverimagemedium', 'mainpicturelarge', 'mainpicturemedium'],
    ...['imagesjpglargeimageurl', 'imagesjpgimageurl', 'posterimageoriginal', 'posterimagelarge'],
    ...['imageurloriginal', 'imageurl', 'mainpicture', 'image', 'cover', 'picture'],
  ],
} as const
